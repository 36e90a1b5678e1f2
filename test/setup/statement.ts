import type { Statement } from '../../platform/database/database.ts';

/** The SQL of a statement, for databases of tests that look at what they are asked. */
export function textOf(statement: string | Statement): string {
  return typeof statement === 'string' ? statement : statement.text;
}
