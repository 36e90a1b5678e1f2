import { earlierClasses } from '../../core/coverage/submissions/earlier-classes.ts';
import { canSubmit } from '../../core/coverage/submissions/submit-upload.ts';
import { type Upload, uploadState } from '../../core/coverage/submissions/uploads.ts';
import type { ApiContext } from '../context.ts';

/** An uploaded file, as the API shows it. */
export async function fileBody({ database, storage }: ApiContext, upload: Upload) {
  const { id, file_name, size_bytes, sha256, error, submission_id, expires_at } = upload;
  const complete = upload.storage_key !== null;
  // The storage knows how far it is.
  const partial = complete ? undefined : await storage.resumable.getUpload(id).catch(() => undefined);
  return {
    id,
    file: { name: file_name, size_bytes, sha256 },
    state: uploadState(upload),
    received_bytes: complete ? size_bytes : (partial?.offset ?? 0),
    inspection: upload.inspection,
    answers: upload.answers,
    note: upload.note,
    submits: upload.submits,
    can_submit: canSubmit(upload),
    earlier_classes: upload.inspection ? await earlierClasses(database, upload.token_id) : [],
    error,
    submission_id,
    expires_at: submission_id === null ? expires_at : null,
    links: { self: `/api/operator/files/${id}`, upload: `/api/operator/uploads/${id}` },
  };
}
