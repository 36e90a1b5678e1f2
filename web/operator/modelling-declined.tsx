import type { Submission } from '../shared/schemas.ts';
import { Notice } from '../shared/ui/notice.tsx';
import { isStaff } from './context.ts';

/** Why staff have to model coverage that the service could not; to staff with what can be done, to operators that they need do nothing. */
export function ModellingDeclined({ submission: { modelling } }: { submission: Submission }) {
  if (!modelling?.reason) return null;
  const { message, hint } = modelling.reason;
  return isStaff() ? (
    <Notice tone="warning" title={`Not modelled automatically: ${message}`} text={hint} />
  ) : (
    <Notice
      tone="info"
      title="Our staff will model it."
      text={`It could not be modelled automatically: ${message} You need not do anything. If something in your file is wrong, withdraw it and upload a corrected file.`}
    />
  );
}
