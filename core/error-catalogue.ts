/** What an error says in general: a sentence, and what to do. The code that throws it may say more. */
export interface KnownError {
  message: string;
  hint: string;
}

/** Every error of a request and of a file, by the code that programs know. `npm run docs:errors` makes docs/errors.md. */
export const errorCatalogue = {
  Requests: {
    request_invalid: {
      message: 'A parameter or field of the request is missing or cannot be used.',
      hint: 'The message names it. Correct it and send the request again.',
    },
    file_missing: { message: 'The form has no file.', hint: 'Send the file in a part named "file".' },
    manifest_missing: {
      message: 'The manifest, which describes the file as JSON, is missing.',
      hint: 'Send at least {"technology": "fibre"}; /docs#/coverage-files describes every field.',
    },
    manifest_not_json: {
      message: 'The manifest is not JSON.',
      hint: 'With curl, read it from a file: -F manifest=@manifest.json',
    },
    manifest_too_large: {
      message: 'A part of the form is larger than 1 MB.',
      hint: 'Send the file in a part of its own, with a file name.',
    },
    manifest_invalid: {
      message: 'The manifest cannot be used.',
      hint: 'The message names each field that is wrong. Correct them and submit the file again.',
    },
    upload_incomplete: {
      message: 'The upload of the file is incomplete.',
      hint: 'Nothing was stored. Send it again; uploads under /api/operator/uploads can be resumed.',
    },
    content_type_unsupported: {
      message: 'The content type of the request is not accepted here.',
      hint: 'Send a file as multipart/form-data. With curl: -F file=@coverage.zip -F manifest=@manifest.json',
    },
    file_too_large: {
      message: 'The file is larger than the service accepts.',
      hint: 'Zip it, or submit its layers one by one.',
    },
    method_not_allowed: {
      message: 'This address does not support the method.',
      hint: 'Use a method that the Allow header lists.',
    },
    address_unknown: {
      message: 'There is nothing at this address.',
      hint: 'Check the address against the reference at /docs.',
    },
    if_match_missing: {
      message: 'The If-Match header is missing. It says which version of the profile you changed.',
      hint: 'Send the ETag of the profile that you started from, or * to overwrite any.',
    },
    internal_error: {
      message: 'The service failed to process this request.',
      hint: 'Nothing that was accepted is lost. Try again; if it fails again, tell your service administrator.',
    },
  },
  'Signing in': {
    not_signed_in: {
      message: 'This needs a token, or a session started with one.',
      hint: 'Send "Authorization: Bearer <token>".',
    },
    token_unknown: {
      message: 'This token is unknown, revoked or expired.',
      hint: 'Check that you copied all of it. Your service administrator can create another.',
    },
    not_same_origin: {
      message: 'This request did not come from a page of this service.',
      hint: 'Scripts send their token as "Authorization: Bearer <token>" instead of a cookie.',
    },
    operators_only: { message: 'This is for network operators.', hint: 'Your account is at /account.' },
    staff_only: {
      message: 'This is for the staff of the service.',
      hint: 'Ask your service administrator.',
    },
    customers_only: {
      message: 'This is for customers, who have tokens of their own.',
      hint: 'Staff see the same under /api/staff/customers.',
    },
    too_many_attempts: {
      message: 'Too many wrong keys or tokens came from this address.',
      hint: 'Wait as long as Retry-After says, and check the token before you try again.',
    },
  },
  Submissions: {
    submission_unknown: {
      message: 'There is no such submission.',
      hint: 'Check its id: GET /api/operator/submissions lists yours.',
    },
    submission_not_ready: {
      message: 'The submission is not ready.',
      hint: 'Publish it once its status is "ready".',
    },
    submission_failed: {
      message: 'This submission failed, so there is nothing to publish.',
      hint: 'Its error says what to change. Submit the file again after that.',
    },
    submission_published: {
      message: 'This submission is published, so it cannot be withdrawn.',
      hint: 'Roll back to an earlier version to take it offline.',
    },
    submission_superseded: {
      message: 'Another version has superseded this submission.',
      hint: 'Roll back to one of its versions to publish it again.',
    },
    submission_withdrawn: { message: 'This submission has been withdrawn.', hint: 'Submit the file again.' },
    submission_not_waiting: {
      message: 'This submission is not waiting for a prediction.',
      hint: 'GET /api/staff/tower-work lists those that are.',
    },
    submissions_too_many: {
      message: 'Too many of your submissions are waiting to be processed.',
      hint: 'Submit this file once some of them are done, or withdraw those that you do not need.',
    },
    published_meanwhile: {
      message: 'Another version has been published since you looked.',
      hint: 'Review the changes against that version, and decide again.',
    },
    comparison_outdated: {
      message: 'What this would change is being compared with what is published now.',
      hint: 'Poll the submission until its "comparison" is not null, review what would be lost, and publish it then.',
    },
    losses_unconfirmed: {
      message: 'This submission needs a review before it is published: its "blocking" says why.',
      hint: 'To publish it anyway, send its "comparison" with the request.',
    },
    scopes_too_many: {
      message: 'The provider has published too many scopes of this technology.',
      hint: 'Take a scope that is no longer needed offline, or give the name of the one to replace.',
    },
    provider_not_yours: {
      message: 'The manifest names a provider that this token is not for.',
      hint: 'Leave the provider out, or name your own.',
    },
    technology_unknown: {
      message: 'There is no such technology.',
      hint: 'Use one of those that the message names.',
    },
    planned_date_past: {
      message: 'The planned date has passed.',
      hint: 'If the coverage has been built, it is "available"; otherwise give the date expected now.',
    },
    attempts_exhausted: {
      message: 'The service crashed each time it processed this, so it does not try again.',
      hint: 'Simplify or split the file and submit it again. If that fails too, tell your service administrator.',
    },
    too_many_streams: {
      message: 'This token follows too many submissions.',
      hint: 'End one of the streams first, or poll the submission instead.',
    },
  },
  Uploads: {
    file_unknown: {
      message: 'There is no such file.',
      hint: 'Check its id: GET /api/operator/files lists yours. Uploads that were not submitted expire after a day.',
    },
    file_not_complete: {
      message: 'The upload of the file is not complete.',
      hint: 'Resume the upload and submit the file afterwards, or save the manifest with it now: PUT /api/operator/files/<id>/answers.',
    },
    file_complete: {
      message: 'The upload of the file is complete, so it can be submitted at once.',
      hint: 'Send the manifest to POST /api/operator/submissions.',
    },
    file_already_submitted: {
      message: 'The file has been submitted already.',
      hint: 'To stop its processing, withdraw the submission that GET /api/operator/files/<id> names.',
    },
    file_not_usable: {
      message: 'The file cannot be used.',
      hint: 'The message says why. Correct the file and upload it again.',
    },
    upload_busy: {
      message: 'Another request is still sending to this upload.',
      hint: 'Send HEAD to learn its offset, and resume from there.',
    },
    uploads_too_many: {
      message: 'Too many of your uploads are not submitted yet.',
      hint: 'Submit or delete some of them (GET /api/operator/files lists them), or wait a day: then they expire.',
    },
    storage_full: {
      message: 'There is no space left for this file.',
      hint: 'Nothing was stored. Try again later; your service administrator must free space first.',
    },
    storage_quota_exceeded: {
      message: 'With this file, your files would exceed your storage quota.',
      hint: 'Delete uploads that you do not need, or ask your service administrator for a larger quota.',
    },
    storage_unavailable: {
      message: 'The file storage is unavailable.',
      hint: 'Nothing was stored. Try again in a few minutes.',
    },
  },
  Versions: {
    dataset_unknown: {
      message: 'There is no such version.',
      hint: 'Check its id: GET /api/operator/datasets lists yours.',
    },
    version_not_published: {
      message: 'This version is not published, or no longer published.',
      hint: 'List the versions again: GET /api/operator/datasets.',
    },
    version_not_kept: {
      message: 'The coverage of this version is no longer kept.',
      hint: 'Submit its file again.',
    },
    version_not_superseded: {
      message: 'This version was never published, so there is nothing to roll back to.',
      hint: 'Publish its submission instead.',
    },
  },
  Providers: {
    provider_unknown: {
      message: 'There is no such provider.',
      hint: 'GET /api/operator/catalog lists those that you may use.',
    },
    provider_exists: { message: 'Another provider has this name.', hint: 'Use another name.' },
    provider_changed: {
      message: 'Somebody has changed this profile since you opened it.',
      hint: 'Review what it says now, and save your changes again.',
    },
    provider_url_missing: {
      message: 'The provider has no web address yet.',
      hint: 'Save one in its profile. For a new provider, give it in the manifest as "url", or with --url.',
    },
    provider_name_fixed: {
      message: 'Only staff can rename a provider.',
      hint: 'Leave "name" out, and ask your service administrator.',
    },
    profile_invalid: {
      message: 'The profile cannot be saved.',
      hint: 'The message names each field that is wrong.',
    },
  },
  'Customers, plans and keys': {
    customer_unknown: { message: 'There is no such customer.', hint: 'GET /api/staff/customers lists them.' },
    customer_exists: { message: 'Another customer has this name.', hint: 'Use another name.' },
    customer_cancelled: {
      message: 'The customer has given notice.',
      hint: 'A notice can be withdrawn until the service ends; after that, start a plan.',
    },
    customer_not_cancelled: {
      message: 'The customer has not given notice, or its notice has taken effect.',
      hint: 'Start a plan instead.',
    },
    customer_token_unknown: {
      message: 'There is no such token.',
      hint: 'The tokens of a customer are listed under /api/staff/customers/<id>/tokens.',
    },
    no_plan: { message: 'The customer has no plan to cancel.', hint: 'Revoke its keys instead.' },
    plan_unknown: { message: 'There is no such plan.', hint: 'Use one of those that the message names.' },
    plan_date_invalid: {
      message: 'The plan cannot start on that day.',
      hint: 'The message says why. Choose another day.',
    },
    key_unknown: { message: 'There is no such key.', hint: 'List the keys again.' },
    key_not_active: { message: 'This key is not active.', hint: 'Create a new key instead.' },
    too_many_keys: {
      message: 'Too many keys were created in the last 24 hours, revoked ones included.',
      hint: 'Use the keys that exist, or ask your service administrator.',
    },
  },
  Billing: {
    invoice_unknown: { message: 'There is no such invoice.', hint: 'Check its number.' },
    entry_unknown: {
      message: 'There is no such entry in the ledger.',
      hint: 'GET /api/staff/ledger lists the entries.',
    },
    entry_exists: {
      message: 'An entry with this reference has been posted before.',
      hint: 'Use another reference for another entry.',
    },
    entry_not_reversible: {
      message: 'This entry cannot be reversed by itself.',
      hint: 'Change the state of its processing fee instead.',
    },
    amount_too_large: {
      message: 'The amount is more than the entry has left to reverse.',
      hint: 'Reverse at most the amount that the message names.',
    },
    amount_unconfirmed: {
      message: 'A large amount must be given twice.',
      hint: 'Send the same amount as "confirm_amount_cents".',
    },
    fee_unknown: {
      message: 'There is no such processing fee.',
      hint: 'GET /api/staff/processing-fees lists them.',
    },
    fee_state: {
      message: 'The fee cannot change to this state.',
      hint: 'Get the fee again: its present state decides which changes are possible.',
    },
    month_not_over: {
      message: 'The month has not ended yet.',
      hint: 'You can close it from the first of the next month, New Zealand time.',
    },
    month_not_next: {
      message: 'An earlier month must be closed first.',
      hint: 'Months are closed in order, so that each has its own invoices.',
    },
    preview_outdated: {
      message: 'The total has changed since the preview.',
      hint: 'Review the preview again: late usage or a new entry has changed it.',
    },
  },
  Files: {
    archive_damaged: {
      message: 'The zip archive is damaged or was cut short.',
      hint: 'Make the archive again and upload it again; if it came over a network, compare its size with the original.',
    },
    archive_empty: {
      message: 'The zip archive holds no files.',
      hint: 'Put all the files of the layer into it: for a shapefile .shp, .dbf, .prj and .shx.',
    },
    archive_encrypted: {
      message: 'The archive is encrypted.',
      hint: 'Make the zip archive without a password.',
    },
    archive_method_unknown: {
      message: 'A file in the archive is compressed with an unsupported method.',
      hint: 'Make the archive again as an ordinary zip file ("deflate").',
    },
    archive_too_large: {
      message: 'The archive unpacks to more than the limit.',
      hint: 'Submit the layers in several archives, without files that do not belong to them.',
    },
    archive_unsafe: {
      message: 'The zip archive has a link in place of a file.',
      hint: 'Put the file itself into the archive: links are not followed.',
    },
    attribute_not_found: {
      message: 'The layer does not have the attribute that the manifest names.',
      hint: 'The message names those that it has.',
    },
    axes_swapped: {
      message: 'The coordinates have their axes swapped.',
      hint: 'Export the layer again with x (longitude or easting) first and y (latitude or northing) second.',
    },
    classes_needed: {
      message: 'The meaning of the pixels is not stated.',
      hint: 'Give each value, range or colour its speeds, or "coverage": false, in the form or as "classes" of the manifest.',
    },
    classes_do_not_fit: {
      message:
        'The classes of the manifest do not fit the pixels: some are of values, the others of colours.',
      hint: 'Give each class what the pixels have, as the inspection of the file shows.',
    },
    csv_without_areas: {
      message: 'The table has no column of polygons as text (WKT).',
      hint: 'Export the areas as a GeoPackage or shapefile, or as CSV with a WKT column.',
    },
    feature_too_large: {
      message: 'A feature exceeds the size limit.',
      hint: 'Split very large areas, or simplify outlines that have far more vertices than the data is precise.',
    },
    file_empty: { message: 'The file is empty.', hint: 'Upload it again: the copy may have failed.' },
    file_truncated: {
      message: 'The file ends early: a part of it is missing.',
      hint: 'Export the layer again, and compare the sizes of the files before and after sending.',
    },
    flatgeobuf_damaged: {
      message: 'The FlatGeobuf file is damaged.',
      hint: 'Export the layer again from the program that made it.',
    },
    format_unknown: {
      message: 'The format of the file is not supported.',
      hint: 'Export the layers as a GeoPackage, or a raster as GeoTIFF. /docs#/coverage-files lists the formats.',
    },
    geodatabase_compressed: {
      message: 'The geodatabase is compressed (CDF), which only ArcGIS reads.',
      hint: 'Run "Uncompress File Geodatabase Data" on it in ArcGIS and submit it again.',
    },
    geodatabase_damaged: {
      message: 'The geodatabase is damaged.',
      hint: 'Zip the whole .gdb folder while no program has it open.',
    },
    geojson_damaged: {
      message: 'The file cannot be read as GeoJSON.',
      hint: 'Export the layer again as a GeoJSON FeatureCollection.',
    },
    geopackage_damaged: {
      message: 'The file cannot be read as GeoPackage.',
      hint: 'Export the layers again.',
    },
    geopackage_views: {
      message: 'The GeoPackage has views in place of layers. Views are queries, which are not run here.',
      hint: 'Export their results as layers of a GeoPackage, and submit that.',
    },
    image_damaged: {
      message: 'An image of the KML is empty or damaged.',
      hint: 'Put the image into a KMZ beside the KML, and name it in the href.',
    },
    image_missing: {
      message: 'The KML refers to an image that is not among the files.',
      hint: 'Save it as KMZ, which contains its images, or zip the KML and its images together.',
    },
    image_too_large: {
      message: 'An image has more pixels than the limit.',
      hint: 'Crop it to the area of coverage, or split it into several files.',
    },
    kml_damaged: {
      message: 'The file is not KML, or is damaged.',
      hint: 'Export the coverage as KML or KMZ again, and check that the file opens before you submit it.',
    },
    kml_unsafe: {
      message: 'The KML contains something that no program writes for coverage.',
      hint: 'Export the coverage as KML again.',
    },
    layer_not_found: {
      message: 'The file does not have the layer that the manifest names.',
      hint: 'The message names those that it has.',
    },
    link_missing: {
      message: 'The coverage is in other files that this one refers to, and they are missing.',
      hint: 'Put those files into one KMZ or zip with it.',
    },
    load_too_slow: {
      message: 'Loading the file exceeded the time limit.',
      hint: 'Submit the layers one by one, or simplify polygons that have far more vertices than the data is precise.',
    },
    no_areas: {
      message: 'No feature of the file could be used.',
      hint: 'Check that the layer shows areas in your GIS, and export it again.',
    },
    no_shapefile: {
      message: 'The archive holds no .shp file.',
      hint: 'Put the .shp, .dbf, .prj and .shx files of the layer into one zip file and submit that.',
    },
    no_usable_speeds: {
      message: 'No feature has speeds that can be used.',
      hint: 'Check which attributes hold the speeds: they must be numbers above 0, and a minimum not above its maximum.',
    },
    not_polygons: {
      message: 'The file holds no areas.',
      hint: 'Coverage must be areas: export polygons, not sites or cables.',
    },
    outside_service_area: {
      message: 'According to its reference system, the file lies outside the service area.',
      hint: 'Check that this is the right file, and that its reference system is correct.',
    },
    overlay_not_placed: {
      message: 'The LatLonBox of an overlay is invalid.',
      hint: 'Give it in degrees, with north greater than south.',
    },
    overlay_unusable: {
      message: 'The images in the file have no usable position.',
      hint: 'Give each GroundOverlay an Icon with href, and a LatLonBox or gx:LatLonQuad.',
    },
    quad_not_convex: {
      message: 'The four corners of an overlay do not form a convex quadrilateral.',
      hint: 'Give the coordinates of its LatLonQuad counter-clockwise, starting at the lower left corner of the image.',
    },
    raster_damaged: {
      message: 'The raster is damaged.',
      hint: 'Export the raster again, and compare the sizes of the files before and after sending.',
    },
    raster_not_placed: {
      message: 'The position of the raster is not stated.',
      hint: 'Submit a GeoTIFF, zip the image with its world file and .prj, or place it with a KML GroundOverlay.',
    },
    raster_not_rectified: {
      message: 'The raster would have to be warped to fit its control points.',
      hint: 'Rectify it (with the QGIS Georeferencer or gdalwarp), and submit the resulting GeoTIFF.',
    },
    raster_not_supported: {
      message: 'The file has neither a layer of areas nor exactly one raster.',
      hint: 'Export the raster that is the coverage as GeoTIFF, or the areas as a layer.',
    },
    raster_too_fine: {
      message: 'The classes change from pixel to pixel: that is noise rather than coverage.',
      hint: 'Sieve the raster (the manifest\'s "sieve", or a majority filter), or use fewer and wider classes.',
    },
    reader_broke_off: {
      message: 'The reader crashed on this file.',
      hint: 'The file may be damaged: export it again, or in another format.',
    },
    reader_out_of_memory: {
      message: 'Reading the file exceeded the memory limit.',
      hint: 'Split very large polygons and images, or submit the layers one by one.',
    },
    reader_stalled: {
      message: 'Reading the file made no progress.',
      hint: 'Export the layer again, or as a GeoPackage or shapefile of its own.',
    },
    reader_too_slow: {
      message: 'Reading and loading the file exceeded the time limit.',
      hint: 'Submit the layers one by one, or simplify polygons that have far more vertices than the data is precise.',
    },
    records_do_not_match: {
      message: 'The files of the shapefile do not belong together.',
      hint: 'Export the layer again, and zip all of its files together.',
    },
    reference_outside: {
      message: 'The coverage is at addresses that the file refers to; these are never fetched.',
      hint: 'Put the images and KMLs that it refers to into one KMZ or zip with it, and use relative paths.',
    },
    reference_system_missing: {
      message: 'The reference system of the coordinates is not stated.',
      hint: 'Choose it in the submission form, or name it in the manifest, such as "crs": "EPSG:2193".',
    },
    reference_system_unknown: {
      message: 'The reference system cannot be used.',
      hint: 'Export the layer in NZTM2000 (EPSG:2193) or WGS 84 (EPSG:4326), with its .prj file.',
    },
    shapefile_damaged: { message: 'The shapefile is damaged.', hint: 'Export the layer again.' },
    side_file_too_long: {
      message: 'A file beside the raster is far too large.',
      hint: 'Export the raster again.',
    },
    tab_not_native: {
      message: 'The MapInfo table refers to other files instead of holding data.',
      hint: 'In MapInfo, save a copy as a native TAB, and submit that.',
    },
    tiers_too_many: {
      message: 'The file offers too many combinations of speeds, availability and date.',
      hint: 'Round the speeds to the classes that you sell, and the dates to months or quarters.',
    },
    tower_columns_missing: {
      message: 'Columns of the tower data are missing.',
      hint: 'Name the columns as /docs#/tower-data lists them.',
    },
    towers_invalid: {
      message: 'Some of the towers cannot be used.',
      hint: 'Correct the rows that the message names and submit the file again: coverage without one of the towers would be wrong.',
    },
    towers_refused: {
      message: 'Staff could not model coverage from the towers.',
      hint: 'Correct the towers, then upload the file again. Nothing is charged for this one.',
    },
    towers_too_many: {
      message: 'The file is too large for tower data.',
      hint: 'If it is coverage, leave "processed_by" out of the manifest.',
    },
    towers_unreadable: {
      message: 'The file holds no towers.',
      hint: 'Give a row, or a GeoJSON point, for each tower.',
    },
    values_unknown: {
      message: 'No feature could be used, because the manifest does not explain their values.',
      hint: 'Explain them in the manifest: speeds in "tiers", technology and availability in the "values" of their attributes.',
    },
    world_file_damaged: {
      message: 'The world file does not hold the six numbers that place the image.',
      hint: 'Export the image with its world file again, or submit a GeoTIFF.',
    },
  },
} as const satisfies Record<string, Record<string, KnownError>>;

type Catalogue = typeof errorCatalogue;

/** The code of an error of a request or of a file. */
export type KnownCode = { [Group in keyof Catalogue]: keyof Catalogue[Group] }[keyof Catalogue];

const byCode: Record<string, KnownError> = Object.assign({}, ...Object.values(errorCatalogue));

/** The entry of a code; undefined for errors of commands. */
export function knownError(code: string): KnownError | undefined {
  return Object.hasOwn(byCode, code) ? byCode[code] : undefined;
}
