import type { z } from 'zod';

const maxProblems = 20;
const maxProblemLength = 200;

/** Adds problems to a schema's checks. */
export const issuesOf =
  (context: z.RefinementCtx) =>
  (path: PropertyKey[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });

/** The problems of an input, as sentences of an error. @param whole the name of the input */
export function problemsOf({ issues }: z.ZodError, whole: string): string {
  const problems = innermost(issues);
  const shown = problems
    .slice(0, maxProblems)
    .map(({ path, message }) => shorten(`${path.join('.') || whole}: ${message}`));
  const more = problems.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

const shorten = (text: string): string =>
  text.length > maxProblemLength ? `${text.slice(0, maxProblemLength)} ...` : text;

type Issue = z.core.$ZodIssue;

/** Replaces "no form matches" by the problems of the form that was probably meant: the one that matches furthest. */
function innermost(issues: readonly Issue[]): { path: PropertyKey[]; message: string }[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const depth = (form: readonly Issue[]) => Math.max(...form.map(({ path }) => path.length));
    const wrongType = (form: readonly Issue[]) =>
      form.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
    const forms = [...issue.errors].sort(
      (a, b) => Number(wrongType(a)) - Number(wrongType(b)) || depth(b) - depth(a),
    );
    return innermost(forms[0] as readonly Issue[]).map(({ path, message }) => ({
      path: [...issue.path, ...path],
      message,
    }));
  });
}
