import type { Submission } from '../shared/schemas.ts';

/** True for the code of a loss, of premises or of ground. */
export const isLoss = (code: string) => ['premises_lost', 'area_lost'].includes(code);

/** The reason why it was not published automatically, after its figures and warnings. */
export function heldBackWords({ blocking }: Pick<Submission, 'blocking'>): string {
  const losses = blocking.filter(({ code }) => isLoss(code)).length;
  const others = blocking.length - losses;
  const warnings = others === 1 ? 'the warning above needs a look' : 'the warnings above need a look';
  const reasons = [losses > 0 && 'it would take live coverage away', others > 0 && warnings].filter(Boolean);
  return reasons.length > 0
    ? `This file was not published automatically because ${reasons.join(' and ')}. Look at the map and decide.`
    : 'This file was not published automatically. What held it back no longer applies: look at the map and decide.';
}
