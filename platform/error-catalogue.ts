/** The general text of an error: a sentence, and the next step. The code that throws it may add detail. */
export type KnownError = { message: string; hint: string };

interface AnsweredError extends KnownError {
  status: number;
}

/** An entry of the catalogue: the sentence on its first line, the hint on its second. */
function ofFile([text = '']: TemplateStringsArray): KnownError {
  const [message = '', hint = ''] = text.trim().split(/\n\s*/);
  return { message, hint };
}

const answered =
  (status: number) =>
  (text: TemplateStringsArray): AnsweredError => ({ status, ...ofFile(text) });

/** Every error of a request and of a file, by its code for programs. `npm run docs:errors` makes docs/errors.md. */
export const errorCatalogue = {
  Requests: {
    request_invalid: answered(400)`
      A parameter or field of the request is missing or cannot be used.
      The message names it. Correct it and send the request again.`,
    file_missing: answered(400)`
      The form has no file.
      Send the file in a part named "file".`,
    manifest_missing: answered(400)`
      The manifest, which describes the file as JSON, is missing.
      Send at least {"technology": "fibre"}; /docs#/coverage-files describes every field.`,
    manifest_not_json: answered(400)`
      The manifest is not JSON.
      With curl, read it from a file: -F manifest=@manifest.json`,
    manifest_too_large: answered(413)`
      A part of the form is larger than 1 MB.
      Send the file in a part of its own, with a file name.`,
    manifest_invalid: answered(422)`
      The manifest cannot be used.
      The message names each field that is wrong. Correct them and submit the file again.`,
    upload_incomplete: answered(400)`
      The upload of the file is incomplete.
      Nothing was stored. Send it again; uploads under /api/operator/uploads can be resumed.`,
    content_type_unsupported: answered(415)`
      The content type of the request is not accepted here.
      Send a file as multipart/form-data. With curl: -F file=@coverage.zip -F manifest=@manifest.json`,
    file_too_large: answered(413)`
      The file is larger than the service accepts.
      Zip it, or submit its layers one by one.`,
    method_not_allowed: answered(405)`
      This address does not support the method.
      Use a method that the Allow header lists.`,
    address_unknown: answered(404)`
      There is nothing at this address.
      Check the address against the reference at /docs.`,
    if_match_missing: answered(428)`
      The If-Match header is missing. It says which version of the profile you changed.
      Send the ETag of the profile that you started from, or * to overwrite any.`,
    internal_error: answered(500)`
      The service failed to process this request.
      Nothing that was accepted is lost. Try again; if it fails again, tell your service administrator.`,
  },
  'Signing in': {
    not_signed_in: answered(401)`
      This needs a token, or a session started with one.
      Send "Authorization: Bearer <token>".`,
    token_unknown: answered(401)`
      This token is unknown, revoked or expired.
      Check that you copied all of it. Your service administrator can create another.`,
    not_same_origin: answered(403)`
      This request did not come from a page of this service.
      Scripts send their token as "Authorization: Bearer <token>" instead of a cookie.`,
    operators_only: answered(403)`
      This is for network operators.
      Your account is at /account.`,
    staff_only: answered(403)`
      This is for the staff of the service.
      Ask your service administrator.`,
    customers_only: answered(403)`
      This is for customers, who have tokens of their own.
      Staff see the same under /api/staff/customers.`,
    too_many_attempts: answered(429)`
      Too many wrong keys or tokens came from your address.
      Wait as long as Retry-After says, and check the token before you try again.`,
  },
  Submissions: {
    submission_unknown: answered(404)`
      There is no such submission.
      Check its id: GET /api/operator/submissions lists yours.`,
    premises_unknown: answered(404)`
      This submission does not change the service of such premises.
      Take the numbers from its tiles of premises.`,
    submission_not_ready: answered(409)`
      The submission is not ready.
      Publish it once its status is "ready".`,
    submission_failed: answered(409)`
      This submission failed, so there is nothing to publish.
      Its error says what to change. Submit the file again after that.`,
    submission_published: answered(409)`
      This submission is published, so it cannot be withdrawn.
      Take its versions offline, or roll back to earlier ones.`,
    submission_superseded: answered(409)`
      This submission was superseded by another version, or taken offline.
      Roll back to one of its versions to publish it again.`,
    submission_withdrawn: answered(409)`
      This submission has been withdrawn.
      Submit the file again.`,
    submission_not_waiting: answered(409)`
      This submission is not waiting for a prediction.
      GET /api/staff/tower-work lists those that are.`,
    submission_not_modelled: answered(409)`
      The service has not modelled this submission’s coverage, or it is published.
      Speeds can be changed only while the modelled coverage waits to be published. Submit the towers again.`,
    profile_unavailable: answered(409)`
      There is no terrain profile to this place.
      Choose a place within the range of the tower. Where the server has no terrain, there are no profiles.`,
    profiles_too_many: answered(429)`
      The server is busy with other terrain profiles.
      Try again in a moment.`,
    premises_missing: answered(409)`
      The service has no list of addresses, so no premises are counted.
      Areas are shown in km² as before.`,
    premises_counting: answered(409)`
      The premises of this submission or of published coverage are being counted.
      Try again in a moment.`,
    trial_outdated: answered(409)`
      The coverage has been modelled with other speeds meanwhile.
      Load the submission again.`,
    trial_superseded: answered(409)`
      You have tried something else meanwhile.
      Use the answer to your last request.`,
    trial_too_large: answered(409)`
      The coverage has too many pixels to try speeds on it at once.
      Use the speeds: the review shows what they change before anything is published.`,
    trial_failed: answered(409)`
      The premises could not be counted on this coverage.
      Use the speeds: the review shows what they change before anything is published.`,
    tower_unchangeable: answered(400)`
      This tower cannot be changed so.
      Towers have the numbers of the list, from 1; only antennas with a direction have an azimuth.`,
    trials_too_many: answered(429)`
      The server is busy with other trials.
      Try again in a moment.`,
    signal_missing: answered(404)`
      There is no modelled signal for this submission.
      The service models it from tower data; \`modelling\` of the submission says whether it has.`,
    submissions_too_many: answered(429)`
      Too many of your submissions are waiting to be processed.
      Submit this file once some of them are done, or withdraw those that you do not need.`,
    published_meanwhile: answered(409)`
      Another version has been published since you looked.
      Review the changes against that version, and decide again.`,
    comparison_outdated: answered(409)`
      What this would change is being compared with what is published now.
      Poll the submission until its "comparison" is not null, review what would be lost, and publish it then.`,
    losses_unconfirmed: answered(409)`
      This submission needs a review before it is published: its "blocking" says why.
      To publish it anyway, send its "comparison" with the request.`,
    scopes_too_many: answered(409)`
      The provider has published too many scopes of this technology.
      Take a scope that is no longer needed offline, or give the name of the one to replace.`,
    provider_not_yours: answered(403)`
      The manifest names a provider that this token is not for.
      Leave the provider out, or name your own.`,
    technology_unknown: answered(422)`
      There is no such technology.
      Use one of those that GET /api/operator/catalog lists.`,
    planned_date_past: answered(422)`
      The planned date has passed.
      If the coverage has been built, it is "available"; otherwise give the date expected now.`,
    attempts_exhausted: answered(500)`
      The service crashed each time it processed this, so it does not try again.
      Simplify or split the file and submit it again. If that fails too, tell your service administrator.`,
    too_many_streams: answered(429)`
      This token follows too many submissions.
      End one of the streams first, or poll the submission instead.`,
  },
  Uploads: {
    file_unknown: answered(404)`
      There is no such file.
      Check its id: GET /api/operator/files lists yours. Uploads that were not submitted expire after a day.`,
    file_not_complete: answered(409)`
      The upload of the file is not complete.
      Resume the upload and submit the file afterwards, or save the manifest with it now: PUT /api/operator/files/<id>/answers.`,
    file_complete: answered(409)`
      The upload of the file is complete, so it can be submitted at once.
      Send the manifest to POST /api/operator/submissions.`,
    file_already_submitted: answered(409)`
      The file has been submitted already.
      To stop its processing, withdraw the submission that GET /api/operator/files/<id> names.`,
    file_not_usable: answered(422)`
      The file cannot be used.
      The message says why. Correct the file and upload it again.`,
    upload_busy: answered(423)`
      Another request is still sending to this upload.
      Send HEAD to learn its offset, and resume from there.`,
    upload_offset_other: answered(409)`
      The upload has another offset than Upload-Offset says.
      Send HEAD to learn its offset, and resume from there.`,
    tus_version_unsupported: answered(412)`
      The header Tus-Resumable is missing, or has a version that is not supported.
      Send Tus-Resumable: 1.0.0.`,
    uploads_too_many: answered(429)`
      Too many of your uploads are not submitted yet.
      Submit or delete some of them, or wait a day: then they expire. GET /api/operator/files lists them.`,
    storage_full: answered(507)`
      The service has no space left to store this.
      Nothing was stored. Try again later; your service administrator must free space first.`,
    storage_quota_exceeded: answered(507)`
      With this file, your files would exceed your storage quota.
      Delete uploads that you do not need, or ask your service administrator for a larger quota.`,
    storage_unavailable: answered(503)`
      The file storage is unavailable.
      Nothing was stored. Try again in a few minutes.`,
  },
  Versions: {
    dataset_unknown: answered(404)`
      There is no such version.
      Check its id: GET /api/operator/datasets lists yours.`,
    area_invalid: answered(422)`
      The area cannot be used.
      Draw a circle of at most 100 km, or a polygon of 3 to 250 corners whose edges do not cross.`,
    version_not_published: answered(409)`
      This version is not published, or no longer published.
      List the versions again: GET /api/operator/datasets.`,
    version_not_kept: answered(409)`
      The coverage of this version is no longer kept.
      Submit its file again.`,
    version_not_superseded: answered(409)`
      This version was never published, so there is nothing to roll back to.
      Publish its submission instead.`,
  },
  Stops: {
    stop_unknown: answered(404)`
      There is no such stop, or it was undone.
      Check its id: GET /api/operator/stops lists yours.`,
    stop_past: answered(409)`
      The stop would lie in the past.
      Stops begin today or later, and end today or later. To take connections again today, undo the stop.`,
    stop_days_reversed: answered(422)`
      The last day of the stop is before its first day.
      Send "until" as the last day without new connections, or leave it out.`,
    stop_ended: answered(409)`
      The stop has ended, and new connections are taken again.
      Make another stop.`,
    stop_closes_nothing: answered(409)`
      None of the published coverage is what the stop would close.
      GET /api/operator/stop-targets lists the published tiers and towers that can be closed.`,
    stop_too_large: answered(409)`
      The area is far larger than the coverage that it would close.
      Draw it around what is closed. If all of that coverage is closed, send "large": true with it.`,
    tower_ground_unknown: answered(409)`
      It is not known where this tower alone serves, as the service did not work out the published coverage from its towers.
      Close the area around it, or a tier.`,
    stops_too_many: answered(409)`
      The provider has too many stops that have not ended.
      Undo some of them, or close one area in place of many.`,
  },
  Exclusions: {
    exclusion_unknown: answered(404)`
      There is no such exclusion.
      GET /api/operator/exclusions lists yours.`,
    proposed_exclusion_unknown: answered(409)`
      The submission does not propose all of these exclusions, or no longer.
      GET /api/operator/submissions/<id>/proposed-exclusions lists those that it does.`,
    exclusion_ended: answered(422)`
      The last day of the exclusion is over already.
      Give a day from today on, or none for an exclusion for good.`,
    exclusion_too_large: answered(422)`
      The area of the exclusion is too large.
      Exclusions mend places. Submit a file without that coverage, or take the version offline.`,
    exclusion_takes_most: answered(409)`
      The exclusion would take most of what is live.
      If that is right, send it again with "confirmed": true. Else draw a smaller area, or name one technology.`,
    exclusions_too_many: answered(409)`
      Too many exclusions of this provider are in force.
      Remove those that a newer file makes needless, or put one area around several places.`,
    exclusions_lacking: answered(409)`
      The version was made without what is excluded now.
      Reprocess its file: what is excluded is then taken off. Or remove the exclusions first.`,
    address_not_found: answered(404)`
      The address is not in the list of addresses.
      Search for it, or draw a circle around the place.`,
  },
  Statistics: {
    regions_unknown: answered(404)`
      There is no such layer of regions.
      GET /api/staff/regions lists those that there are.`,
    day_unknown: answered(410)`
      What was published on that day is not known any more.
      Ask for a later day.`,
    statistics_counting: answered(409)`
      The premises of some coverage of that day are still being counted.
      Ask again in a minute; GET /api/staff/work shows what is counted.`,
    statistics_busy: answered(429)`
      Too many days are being counted.
      Ask again in a minute.`,
  },
  Providers: {
    provider_unknown: answered(404)`
      There is no such provider.
      GET /api/operator/catalog lists those that you may use.`,
    provider_exists: answered(409)`
      Another provider has this name.
      Use another name.`,
    provider_changed: answered(412)`
      Somebody has changed this profile since you opened it.
      Review what it says now, and save your changes again.`,
    provider_url_missing: answered(422)`
      The provider has no web address yet.
      Save one in its profile. For a new provider, give it in the manifest as "url", or with --url.`,
    provider_name_fixed: answered(403)`
      Only staff can rename a provider.
      Leave "name" out, and ask your service administrator.`,
    profile_invalid: answered(422)`
      The profile cannot be saved.
      The message names each field that is wrong.`,
  },
  'Customers, plans and keys': {
    customer_unknown: answered(404)`
      There is no such customer.
      GET /api/staff/customers lists them.`,
    customer_exists: answered(409)`
      Another customer has this name.
      Use another name.`,
    customer_cancelled: answered(409)`
      The customer has given notice.
      A notice can be withdrawn until the service ends; after that, start a plan.`,
    customer_not_cancelled: answered(409)`
      The customer has not given notice, or its notice has taken effect.
      Start a plan instead.`,
    customer_token_unknown: answered(404)`
      There is no such token.
      The tokens of a customer are listed under /api/staff/customers/<id>/tokens.`,
    no_plan: answered(409)`
      The customer has no plan to cancel.
      Revoke its keys instead.`,
    plan_unknown: answered(422)`
      There is no such plan.
      Use one of those that the message names.`,
    plan_date_invalid: answered(422)`
      The plan cannot start on that day.
      The message says why. Choose another day.`,
    key_unknown: answered(404)`
      There is no such key.
      List the keys again.`,
    key_not_active: answered(409)`
      This key is not active.
      Create a new key instead.`,
    too_many_keys: answered(409)`
      Too many keys were created in the last 24 hours, revoked ones included.
      Use the keys that exist, or ask your service administrator.`,
  },
  'E-mail': {
    mail_unknown: answered(404)`
      There is no such e-mail.
      GET /api/staff/mail lists them.`,
    mail_state: answered(409)`
      The e-mail is in another state by now.
      Look at it again: it may have been sent, or somebody may have decided on it.`,
    mail_address_missing: answered(409)`
      The account has no e-mail address.
      Enter one on the page of the customer or operator, then send the e-mail.`,
  },
  Billing: {
    invoice_unknown: answered(404)`
      There is no such invoice.
      Check its number.`,
    prints_too_many: answered(429)`
      Too many PDF files are being printed.
      Try again in a minute. The page of the same paper is there at once.`,
    invoice_held_back: answered(409)`
      The invoice lacks what New Zealand’s rules of taxable supply information ask for, so it is not issued.
      Above $200 it names the issuer’s GST number; above $1,000 also an address or other contact of its recipient.`,
    nothing_held_back: answered(404)`
      No invoice of this account is held back.
      GET /api/staff/invoices/held-back lists those that are.`,
    credit_note_unknown: answered(404)`
      There is no such credit note.
      Check its number.`,
    credit_note_not_undoable: answered(409)`
      This credit note cannot be undone.
      Undo first what the message names.`,
    entry_unknown: answered(404)`
      There is no such entry in the ledger.
      GET /api/staff/ledger lists the entries.`,
    receipt_unknown: answered(404)`
      There is no such receipt.
      Every payment has one, by the ID of its entry. That of a payment that was reversed is not e-mailed.`,
    entry_exists: answered(409)`
      An entry with this reference has been posted before.
      Use another reference for another entry.`,
    payment_day_invalid: answered(409)`
      The day of a payment is today or earlier.
      Give the day on the bank's statement.`,
    payment_exists: answered(409)`
      This was recorded before.
      GET /api/staff/payments lists what was recorded.`,
    payment_unconfirmed: answered(409)`
      Something about this payment looks like a mistake.
      If it is meant, send it again with "confirm": true.`,
    allocation_invalid: answered(409)`
      The amount cannot be allocated like this.
      Allocate at most what is left to pay of the account's own invoices.`,
    credit_too_small: answered(409)`
      The account has less credit.
      Refund at most its credit.`,
    invoice_settled: answered(409)`
      Nothing is left to pay of this invoice.
      The invoice lists what has settled it.`,
    period_locked: answered(409)`
      The books of this day are closed.
      Date it later, or open the books under Settings.`,
    books_opened_unasked: answered(409)`
      Closed books are opened with a reason only.
      Give "reason".`,
    payments_in_xero: answered(409)`
      Xero is the debtors' ledger: payments are recorded there.
      Bring them back with Xero's file, or change the setting "debtors_ledger".`,
    payments_in_covermap: answered(409)`
      The debtors' ledger is here, not in Xero: payments are recorded here.
      If they are recorded in Xero, change the setting "debtors_ledger" to xero.`,
    xero_file_unreadable: answered(422)`
      Xero's file cannot be read.
      Export the invoices from Xero again, under Business > Invoices, and drop the file as it is.`,
    xero_nothing_new: answered(409)`
      Everything of this period is in files already.
      Download them again, or say that they were not imported.`,
    xero_export_unknown: answered(404)`
      There are no such files for Xero.
      GET /api/staff/xero/exports lists them.`,
    xero_export_taken_back: answered(409)`
      Somebody has said before that these files were not imported.
      Make files of the period again.`,
    entry_not_reversible: answered(409)`
      This entry cannot be reversed by itself.
      Change the state of its processing fee instead.`,
    amount_too_large: answered(409)`
      The amount is more than the entry has left to reverse.
      Reverse at most the amount that the message names.`,
    amount_unconfirmed: answered(409)`
      A large amount must be given twice.
      Send the same amount as "confirm_amount_cents".`,
    bank_file_unreadable: answered(422)`
      The bank's file cannot be read.
      Export it again from internet banking as CSV, and drop it as it is.`,
    bank_headings_unknown: answered(422)`
      The file's headings are of no known bank.
      Say once which of its columns is which: "layout".`,
    bank_dates_ambiguous: answered(422)`
      The file's dates may begin with the day or with the month.
      Say which: "dates" is dmy or mdy.`,
    bank_layout_exists: answered(409)`
      Another file's columns have this name.
      Give this one a name of its own.`,
    bank_file_unknown: answered(404)`
      There is no such bank file.
      GET /api/staff/bank/files lists them.`,
    bank_file_in_use: answered(409)`
      Lines of this file are confirmed or set aside.
      Reverse their payments and restore what was set aside first.`,
    bank_line_unknown: answered(404)`
      There is no such line.
      GET /api/staff/bank/lines lists them.`,
    bank_line_decided: answered(409)`
      Somebody has confirmed this line or set it aside meanwhile.
      Look at the line again.`,
    bank_line_not_ignored: answered(409)`
      This line is not set aside.
      A line that is a payment is opened by the reversal of the payment.`,
    bank_proposal_outdated: answered(409)`
      An invoice has changed since the proposal was made.
      Look at the new proposal and confirm that.`,
    fee_unknown: answered(404)`
      There is no such processing fee.
      GET /api/staff/processing-fees lists them.`,
    fee_state: answered(409)`
      The fee cannot change to this state.
      Get the fee again: its present state decides which changes are possible.`,
    rehearsal_elsewhere: answered(409)`
      Months are practised in the demo alone.
      Start one beside this service: npm start, without DATABASE_URL and with a DATA_DIR of its own.`,
    rehearsal_state: answered(409)`
      A rehearsal is under way.
      Reload the page: it says what the clock shows, and whether anything is rehearsed.`,
    rehearsal_date: answered(422)`
      The clock cannot be moved to this day.
      Choose a day after the one that it shows, at most 100 days later, and within 800 days from today.`,
    month_not_over: answered(409)`
      The month has not ended yet.
      You can close it from the first of the next month, New Zealand time.`,
    month_not_next: answered(409)`
      Another month is the next to close.
      Months are closed in order, so that each has its own invoices.`,
    preview_outdated: answered(409)`
      The total has changed since the preview.
      Review the preview again: late usage or a new entry has changed it.`,
  },
  Exports: {
    export_unknown: answered(404)`
      There is no such export.
      GET /api/operator/exports lists yours. An export is removed after some days.`,
    export_empty: answered(409)`
      Nothing was published then.
      Choose another day or technology, or publish coverage first.`,
    export_not_kept: answered(410)`
      Coverage of that day is no longer kept.
      Choose a later day.`,
    export_without_addresses: answered(409)`
      There are no premises, as no addresses were imported.
      Choose another format, which has the areas.`,
    export_not_done: answered(409)`
      This export has no file: it is not done yet, or it has failed.
      Get the export: its state says which, and its error why.`,
    exports_too_many: answered(429)`
      Three exports of this provider are not done yet.
      Wait until one of them is done, or remove one.`,
    exports_quota_exceeded: answered(507)`
      The files of exports would take more space than they may.
      Download and remove some exports, choose one technology, or ask your service administrator.`,
  },
  Addresses: {
    import_unknown: answered(404)`
      There is no such import of addresses.
      GET /api/staff/address-imports lists the last ones.`,
    import_ended: answered(409)`
      This import has ended, or a command does it: there is nothing to cancel.
      A command is ended where it runs. To undo an import, import the earlier list again.`,
  },
  Files: {
    address_import_running: ofFile`
      Another import of addresses is running.
      Start this one again when that one has ended.`,
    export_failed: ofFile`
      The file of the export takes more memory or time than it may.
      Choose one technology, or tell your service administrator.`,
    premises_being_counted: ofFile`
      The premises of this coverage are being counted.
      The export goes on by itself when they are.`,
    addresses_do_not_fit: ofFile`
      Many of the changes do not fit the list of addresses: a changeset between these two may be missing.
      Import the whole list instead. If the changes are right, accept them: --accept-mismatch, or accept=mismatch in the form.`,
    addresses_dropped: ofFile`
      Many rows of the file would not be taken.
      The message says why. If the others are right, accept that: --accept-dropped, or accept=dropped in the form.`,
    addresses_shrink: ofFile`
      The file lacks many of the known addresses, which would all be removed.
      If they should be removed, accept that: --accept-gone, or accept=gone in the form.`,
    addresses_unreadable: ofFile`
      The file is no list of addresses.
      Give LINZ’s "NZ Addresses" as CSV, shapefile or GeoPackage, or name the columns.`,
    archive_damaged: ofFile`
      The zip archive is damaged or was cut short.
      Make the archive again and upload it again; if it came over a network, compare its size with the original.`,
    archive_empty: ofFile`
      The zip archive holds no files.
      Put all the files of the layer into it: for a shapefile .shp, .dbf, .prj and .shx.`,
    archive_encrypted: ofFile`
      The archive is encrypted.
      Make the zip archive without a password.`,
    archive_method_unknown: ofFile`
      A file in the archive is compressed with an unsupported method.
      Make the archive again as an ordinary zip file ("deflate").`,
    archive_too_large: ofFile`
      The archive unpacks to more than the limit.
      Submit the layers in several archives, without files that do not belong to them.`,
    archive_unsafe: ofFile`
      The zip archive has a link in place of a file.
      Put the file itself into the archive: links are not followed.`,
    attribute_not_found: ofFile`
      The layer does not have the attribute that the manifest names.
      The message names those that it has.`,
    axes_swapped: ofFile`
      The coordinates have their axes swapped.
      Export the layer again with x (longitude or easting) first and y (latitude or northing) second.`,
    classes_needed: ofFile`
      The meaning of the pixels is not stated.
      Give each value, range or colour its speeds, or "coverage": false, in the form or as "classes" of the manifest.`,
    classes_do_not_fit: ofFile`
      The classes of the manifest do not fit the pixels: some are of values, the others of colours.
      Give each class what the pixels have, as the inspection of the file shows.`,
    csv_without_areas: ofFile`
      The table has no column of polygons as text (WKT), and no columns of tower data.
      Export the areas as a GeoPackage or shapefile, or as CSV with a WKT column. For towers, fill in /tower-template.csv.`,
    feature_too_large: ofFile`
      A feature exceeds the size limit.
      Split very large areas, or simplify outlines that have far more vertices than the data is precise.`,
    file_damaged: ofFile`
      The file is damaged, or not written as its format has to be.
      Export the layer again from the program it was made with.`,
    fields_too_many: ofFile`
      The layers of the file have more attributes than are read.
      Export only the attributes that say something about the coverage, or submit the layers one by one.`,
    file_empty: ofFile`
      The file is empty.
      Upload it again: the copy may have failed.`,
    file_truncated: ofFile`
      The file ends early: a part of it is missing.
      Export the layer again, and compare the sizes of the files before and after sending.`,
    flatgeobuf_damaged: ofFile`
      The FlatGeobuf file is damaged.
      Export the layer again from the program that made it.`,
    format_unknown: ofFile`
      The format of the file is not supported.
      Export the layers as a GeoPackage, or a raster as GeoTIFF. /docs#/coverage-files lists the formats.`,
    geodatabase_compressed: ofFile`
      The geodatabase is compressed (CDF), which only ArcGIS reads.
      Run "Uncompress File Geodatabase Data" on it in ArcGIS and submit it again.`,
    geodatabase_damaged: ofFile`
      The geodatabase is damaged.
      Zip the whole .gdb folder while no program has it open.`,
    geojson_damaged: ofFile`
      The file cannot be read as GeoJSON.
      Export the layer again as a GeoJSON FeatureCollection.`,
    geopackage_damaged: ofFile`
      The file cannot be read as GeoPackage.
      Export the layers again.`,
    geopackage_open: ofFile`
      The GeoPackage has changes that are in a file beside it, and not yet in itself.
      Close the program that has it open, such as QGIS, and submit the GeoPackage again.`,
    geopackage_views: ofFile`
      The GeoPackage has views, virtual tables or calculated columns in place of layers. They are queries, which are not run here.
      Export their results as layers of a GeoPackage, and submit that.`,
    image_damaged: ofFile`
      An image of the KML is empty or damaged.
      Put the image into a KMZ beside the KML, and name it in the href.`,
    image_missing: ofFile`
      The KML refers to an image that is not among the files.
      Save it as KMZ, which contains its images, or zip the KML and its images together.`,
    image_too_large: ofFile`
      An image has more pixels than the limit.
      Crop it to the area of coverage, or split it into several files.`,
    kml_damaged: ofFile`
      The file is not KML, or is damaged.
      Export the coverage as KML or KMZ again, and check that the file opens before you submit it.`,
    kml_unsafe: ofFile`
      The KML contains something that no program writes for coverage.
      Export the coverage as KML again.`,
    layer_not_found: ofFile`
      The file does not have the layer that the manifest names.
      The message names those that it has.`,
    layers_too_many: ofFile`
      The file has more layers than are read.
      Export only the layers of coverage, merge those that have the same attributes, or submit them in several files.`,
    link_missing: ofFile`
      The coverage is in other files that this one refers to, and they are missing.
      Put those files into one KMZ or zip with it. Unpack a KMZ that is within an archive first.`,
    load_too_slow: ofFile`
      Loading the file exceeded the time limit.
      Submit the layers one by one, or simplify polygons that have far more vertices than the data is precise.`,
    no_areas: ofFile`
      No feature of the file could be used.
      Check that the layer shows areas in your GIS, and export it again.`,
    no_shapefile: ofFile`
      The archive holds no .shp file.
      Put the .shp, .dbf, .prj and .shx files of the layer into one zip file and submit that.`,
    no_usable_speeds: ofFile`
      No feature has speeds that can be used.
      Check which attributes hold the speeds: they must be numbers above 0, and a minimum not above its maximum.`,
    not_polygons: ofFile`
      The file holds no areas.
      Coverage must be areas: export polygons, not sites or cables.`,
    outside_service_area: ofFile`
      According to its reference system, the file lies outside the service area.
      Check that this is the right file, and that its reference system is correct.`,
    overlay_not_placed: ofFile`
      The LatLonBox of an overlay is invalid.
      Give it in degrees, with north greater than south.`,
    overlay_unusable: ofFile`
      The images in the file have no usable position.
      Give each GroundOverlay an Icon with href, and a LatLonBox or gx:LatLonQuad.`,
    parts_missing: ofFile`
      A file that belongs to the layer is missing.
      Put all files of the layer into one zip file.`,
    quad_not_convex: ofFile`
      The four corners of an overlay do not form a convex quadrilateral.
      Give the coordinates of its LatLonQuad counter-clockwise, starting at the lower left corner of the image.`,
    raster_damaged: ofFile`
      The raster is damaged.
      Export the raster again, and compare the sizes of the files before and after sending.`,
    raster_not_placed: ofFile`
      The position of the raster is not stated.
      Submit a GeoTIFF, zip the image with its world file (.tfw, .pgw, .jgw, .wld) and .prj, or place it with a KML GroundOverlay.`,
    raster_not_rectified: ofFile`
      The raster would have to be warped to fit its control points.
      Rectify it (with the QGIS Georeferencer or gdalwarp), and submit the resulting GeoTIFF.`,
    raster_not_supported: ofFile`
      The file has neither a layer of areas nor exactly one raster.
      Export the raster that is the coverage as GeoTIFF, or the areas as a layer.`,
    raster_too_fine: ofFile`
      The classes change from pixel to pixel: that is noise rather than coverage.
      Set "sieve" to 10 or more in the manifest, apply a majority filter, or use fewer and wider classes.`,
    reader_broke_off: ofFile`
      The reader crashed on this file.
      The file may be damaged: export it again, or in another format.`,
    reader_out_of_memory: ofFile`
      Reading the file exceeded the memory limit.
      Split very large polygons and images, or submit the layers one by one.`,
    reader_stalled: ofFile`
      Reading the file made no progress.
      Export the layer again, or as a GeoPackage or shapefile of its own.`,
    reader_too_slow: ofFile`
      Reading and loading the file exceeded the time limit.
      Submit the layers one by one, or simplify polygons that have far more vertices than the data is precise.`,
    records_do_not_match: ofFile`
      The files of the shapefile do not belong together.
      Export the layer again, and zip all of its files together.`,
    reference_outside: ofFile`
      The coverage is at addresses that the file refers to; these are never fetched.
      Put the images and KMLs that it refers to into one KMZ or zip with it, and use relative paths.`,
    reference_system_missing: ofFile`
      The reference system of the coordinates is not stated.
      Choose it in the submission form, or name it in the manifest, such as "crs": "EPSG:2193".`,
    reference_system_unknown: ofFile`
      The reference system cannot be used.
      Export the layer in NZTM2000 (EPSG:2193) or WGS 84 (EPSG:4326), with its .prj file.`,
    shapefile_damaged: ofFile`
      The shapefile is damaged.
      Export the layer again.`,
    side_file_too_long: ofFile`
      A file beside the raster is far too large.
      Export the raster again.`,
    tab_not_native: ofFile`
      The MapInfo table refers to other files instead of holding data.
      In MapInfo, save a copy as a native TAB, and submit that.`,
    tiers_too_many: ofFile`
      The file offers too many combinations of speeds, availability and date.
      Round the speeds to the classes that you sell, and the dates to months or quarters.`,
    tower_columns_missing: ofFile`
      Columns of the tower data are missing.
      Name the columns as /docs#/tower-data lists them, or fill in /tower-template.csv.`,
    towers_invalid: ofFile`
      Some of the towers cannot be used.
      Correct the rows that the message names and submit the file again: coverage without one of the towers would be wrong.`,
    towers_refused: ofFile`
      Staff could not model coverage from the towers.
      Correct the towers, then upload the file again. Nothing is charged for this one.`,
    towers_too_many: ofFile`
      The file is too large for tower data.
      If it is coverage, leave "processed_by" out of the manifest.`,
    pattern_unusable: ofFile`
      An antenna pattern cannot be used.
      Send it as MSI Planet (.msi or .pln): NAME, FREQUENCY, GAIN, and 360 lines of degrees and dB after HORIZONTAL 360 and VERTICAL 360.`,
    regions_layers: ofFile`
      The file has several layers of areas, or none.
      Export the layer of regions alone.`,
    regions_column: ofFile`
      It is not clear which attribute has the names of the regions.
      Name it, as in --column TA2025_NAME.`,
    regions_unnamed: ofFile`
      Some areas have no name, or one that is too long.
      Give each its region's name, or name the attribute that has them, as in --column TA2025_NAME.`,
    regions_dropped: ofFile`
      Some areas cannot be used, and their premises would be in no region.
      Repair them, or accept that with --accept dropped.`,
    regions_overlap: ofFile`
      The regions overlap, and premises count in one of them alone.
      Check that this is one layer of regions, or accept that with --accept overlap: the first by name has them.`,
    regions_too_large: ofFile`
      The layer has too many regions or vertices.
      Use a generalised version of it: borders need not be exact to the centimetre.`,
    propagation_parameters_invalid: ofFile`
      A parameter is outside the range of the Irregular Terrain Model.
      The message names the parameter and its range.`,
    terrain_missing: ofFile`
      There is no terrain where a tower stands.
      Add the elevation models of that place, or correct the position of the tower.`,
    terrain_unusable: ofFile`
      A file of the terrain cannot be used.
      Give GeoTIFF with a reference system and heights in metres, or SRTM .hgt, or take the file out of the folder.`,
    clutter_unusable: ofFile`
      The land cover cannot be used.
      Give GeoTIFF with a reference system, and beside it classes.csv with the columns class, height_m and loss_db.`,
    terrain_not_set: ofFile`
      The workers of the service have no terrain.
      Set TERRAIN_DIR to a folder of elevation models, or attach a prediction.`,
    modelling_too_many_towers: ofFile`
      The list has more towers than the service models by itself.
      Staff decide whether to model it. An administrator can raise MODEL_MAX_TOWERS.`,
    modelling_empty: ofFile`
      Nowhere is the modelled signal strong enough for a speed.
      Check the towers' power, frequency and direction, and the speeds by received power.`,
    modelling_technology_missing: ofFile`
      The manifest names no technology, and modelled coverage has no attribute for it.
      Name the technology in the manifest.`,
    modelling_failed: ofFile`
      The service could not model coverage from these towers.
      Staff decide: they can try again with other parameters, or attach a prediction.`,
    prediction_too_large: ofFile`
      The prediction would be too large.
      Use a coarser resolution, a smaller range, or fewer towers.`,
    tower_lists_several: ofFile`
      The archive holds several tables, and tower data is one of them.
      Leave the list of towers as the only .csv or .geojson in it.`,
    towers_unreadable: ofFile`
      The file holds no towers.
      Give a row, or a GeoJSON point, for each tower.`,
    values_unknown: ofFile`
      No feature could be used, because the manifest does not explain their values.
      Explain them in the manifest: speeds in "tiers", technology and availability in the "values" of their attributes.`,
    world_file_damaged: ofFile`
      The world file does not hold the six numbers that place the image.
      Export the image with its world file again, or submit a GeoTIFF.`,
  },
} as const satisfies Record<string, Record<string, KnownError>>;

type Catalogue = typeof errorCatalogue;

/** The code of an error of a request or of a file. */
export type KnownCode = { [Group in keyof Catalogue]: keyof Catalogue[Group] }[keyof Catalogue];

/** The code of an error in a response. */
export type ErrorCode = Exclude<KnownCode, keyof Catalogue['Files']>;

const byCode: Record<string, KnownError | AnsweredError> = Object.assign(
  {},
  ...Object.values(errorCatalogue),
);

/** The entry of a code; undefined for errors of commands. */
export const knownError = (code: string): KnownError | undefined =>
  Object.hasOwn(byCode, code) ? byCode[code] : undefined;

/** The HTTP status of a code; undefined for codes without a response. */
export function statusOf(code: ErrorCode): number;
export function statusOf(code: string): number | undefined;
export function statusOf(code: string): number | undefined {
  const known = knownError(code);
  return known && 'status' in known ? (known as AnsweredError).status : undefined;
}
