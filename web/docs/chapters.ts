import adminGuide from '../../docs/administrator-guide.md';
import apiGuide from '../../docs/api-guide.md';
import billing from '../../docs/billing.md';
import billingApi from '../../docs/billing-api.md';
import bulk from '../../docs/bulk.md';
import coverageFiles from '../../docs/coverage-files.md';
import errors from '../../docs/errors.md';
import migration from '../../docs/from-1.0-to-2.0.md';
import operatorApi from '../../docs/operator-api.md';
import operatorGuide from '../../docs/operator-page.md';
import registry from '../../docs/registry.md';
import terms from '../../docs/terms.md';
import tiles from '../../docs/tiles.md';
import type { Page } from '../build/markdown.ts';

export interface Chapter extends Page {
  /** In the address. */
  name: string;
  title: string;
}

/** The chapters are pages of docs/, as the build has made HTML of them. */
export const chapters: [Chapter, ...Chapter[]] = [
  { name: 'guide', title: 'API guide', ...apiGuide },
  { name: 'bulk', title: 'Many positions at once', ...bulk },
  { name: 'tiles', title: 'Map tiles', ...tiles },
  { name: 'from-1.0-to-2.0', title: 'From 1.0 to 2.0', ...migration },
  { name: 'registry', title: 'For registrars', ...registry },
  { name: 'operator-page', title: 'For operators', ...operatorGuide },
  { name: 'coverage-files', title: 'Files and manifest', ...coverageFiles },
  { name: 'operator-api', title: 'Operators’ interface', ...operatorApi },
  { name: 'billing', title: 'Billing', ...billing },
  { name: 'billing-api', title: 'Billing interface', ...billingApi },
  { name: 'errors', title: 'Errors', ...errors },
  { name: 'administrator-guide', title: 'For administrators', ...adminGuide },
  { name: 'terms', title: 'Terms of use', ...terms },
];
