import type { Submission } from '../shared/schemas.ts';
import { Notice } from '../shared/ui/notice.tsx';

/** Why staff have to model coverage that the service could not. */
export function ModellingDeclined({ submission: { modelling } }: { submission: Submission }) {
  if (!modelling?.reason) return null;
  const { message, hint } = modelling.reason;
  return <Notice tone="warning" title={`Not modelled automatically: ${message}`} text={hint} />;
}
