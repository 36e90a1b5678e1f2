import adminGuide from '../../docs/administrator/administrator-guide.md';
import billingApi from '../../docs/administrator/billing-api.md';
import billingOperations from '../../docs/administrator/billing-operations.md';
import configuration from '../../docs/administrator/configuration.md';
import registryOperations from '../../docs/administrator/registry-operations.md';
import security from '../../docs/administrator/security.md';
import staffPage from '../../docs/administrator/staff-page.md';
import errors from '../../docs/errors.md';
import coverageFiles from '../../docs/operator/coverage-files.md';
import operatorApi from '../../docs/operator/operator-api.md';
import operatorPage from '../../docs/operator/operator-page.md';
import accountPage from '../../docs/user/account-page.md';
import apiGuide from '../../docs/user/api-guide.md';
import billing from '../../docs/user/billing.md';
import bulk from '../../docs/user/bulk.md';
import migration from '../../docs/user/from-1.0-to-2.0.md';
import registry from '../../docs/user/registry.md';
import terms from '../../docs/user/terms.md';
import tiles from '../../docs/user/tiles.md';
import type { Page } from '../build/markdown.ts';

export interface Chapter extends Page {
  /** In the address. */
  name: string;
}

/** The pages of docs/ by reader, turned into HTML by the build. The first is shown at /docs. */
export const readers: { reader: string; chapters: [Chapter, ...Chapter[]] }[] = [
  {
    reader: 'API consumers',
    chapters: [
      { name: 'guide', ...apiGuide },
      { name: 'bulk', ...bulk },
      { name: 'tiles', ...tiles },
      { name: 'from-1.0-to-2.0', ...migration },
      { name: 'registry', ...registry },
      { name: 'account-page', ...accountPage },
      { name: 'billing', ...billing },
      { name: 'errors', ...errors },
      { name: 'terms', ...terms },
    ],
  },
  {
    reader: 'Operators',
    chapters: [
      { name: 'operator-page', ...operatorPage },
      { name: 'coverage-files', ...coverageFiles },
      { name: 'operator-api', ...operatorApi },
    ],
  },
  {
    reader: 'Administrators',
    chapters: [
      { name: 'administrator-guide', ...adminGuide },
      { name: 'configuration', ...configuration },
      { name: 'security', ...security },
      { name: 'staff-page', ...staffPage },
      { name: 'billing-operations', ...billingOperations },
      { name: 'billing-api', ...billingApi },
      { name: 'registry-operations', ...registryOperations },
    ],
  },
];

export const chapters = readers.flatMap((group) => group.chapters) as [Chapter, ...Chapter[]];
