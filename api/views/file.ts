import type { z } from 'zod';
import { earlierClasses } from '../../coverage/submissions/earlier-classes.ts';
import { canSubmit } from '../../coverage/submissions/submit-upload.ts';
import { type Upload, uploadState } from '../../coverage/submissions/uploads.ts';
import type { ApiContext } from '../context.ts';
import type { Sent } from '../define-route.ts';
import type { UploadedFile } from '../schemas/operator.ts';

type File = Sent<z.input<typeof UploadedFile>>;

/** An uploaded file in a list of the API. */
export async function listedFile({ storage }: ApiContext, upload: Upload): Promise<File> {
  const { id, file_name, size_bytes, sha256, note, submits, error, submission_id, expires_at } = upload;
  const isComplete = upload.storage_key !== null;
  const partial = isComplete ? undefined : await storage.resumable.getUpload(id).catch(() => undefined);
  return {
    id,
    file: { name: file_name, size_bytes, sha256 },
    state: uploadState(upload),
    received_bytes: (isComplete ? size_bytes : partial?.offset) ?? 0,
    note,
    submits,
    error,
    can_submit: canSubmit(upload),
    submission_id,
    expires_at: submission_id === null ? expires_at : null,
    links: { self: `/api/operator/files/${id}`, upload: `/api/operator/uploads/${id}` },
  };
}

/** An uploaded file in the API, with the result of its inspection. */
export async function fileBody(context: ApiContext, upload: Upload): Promise<File> {
  const { inspection, answers, token_id } = upload;
  const earlier = inspection ? await earlierClasses(context.database, token_id) : [];
  return { ...(await listedFile(context, upload)), inspection, answers, earlier_classes: earlier };
}
