/** What an error says, whatever the case: a sentence, and what to do. Where it is thrown it may say more. */
export interface KnownError {
  message: string;
  hint: string;
}

/**
 * Every error of a request and of a file by its code, which programs know it by and which therefore stays. docs/user/errors.md is made of
 * this table: npm run docs:errors.
 */
export const errorCatalogue = {
  Requests: {
    request_invalid: {
      message: 'A parameter or field of the request is missing or cannot be used.',
      hint: 'The message names it. Correct it and send the request again.',
    },
    file_missing: { message: 'The form has no file.', hint: 'Name its part "file".' },
    manifest_missing: {
      message: 'The manifest is missing: what the file is, as JSON.',
      hint: 'Send at least {"technology": "fibre"}; /docs#/coverage-files describes every field.',
    },
    manifest_not_json: {
      message: 'The manifest is not JSON.',
      hint: 'With curl, take it from a file: -F manifest=@manifest.json',
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
      message: 'The file did not arrive whole.',
      hint: 'Nothing of it was kept. Send it again; uploads under /api/operator/uploads can be resumed.',
    },
    content_type_unsupported: {
      message: 'The request has a content type that is not accepted here.',
      hint: 'Send a file as multipart/form-data. With curl: -F file=@coverage.zip -F manifest=@manifest.json',
    },
    file_too_large: {
      message: 'The file is larger than the service accepts.',
      hint: 'Zip it, or submit its layers one by one.',
    },
    method_not_allowed: {
      message: 'The address does not have this method.',
      hint: 'Use one of those that the Allow header names.',
    },
    address_unknown: {
      message: 'There is nothing at this address.',
      hint: 'Check the address against the reference at /docs.',
    },
    if_match_missing: {
      message: 'If-Match is missing: it says which version of the profile was changed.',
      hint: 'Send the ETag of the answer that you started from, or * to overwrite whatever is there.',
    },
    internal_error: {
      message: 'The service failed while working on this.',
      hint: 'Nothing that was accepted is lost. Try again; if it fails again, tell the people who run this service.',
    },
  },
  'Signing in': {
    not_signed_in: {
      message: 'This takes a token, or a session that was begun with one.',
      hint: 'Send "Authorization: Bearer <token>".',
    },
    token_unknown: {
      message: 'This token is not known, has been revoked, or has expired.',
      hint: 'Check that it was copied whole. The people who run this service can create another.',
    },
    not_same_origin: {
      message: 'This did not come from a page of this service.',
      hint: 'Scripts send their token as "Authorization: Bearer <token>", and no cookie.',
    },
    operators_only: { message: 'This is for network operators.', hint: 'Your account is at /account.' },
    staff_only: {
      message: 'This is for the staff of the service.',
      hint: 'Ask the people who run this service.',
    },
    customers_only: {
      message: 'This is for customers, who have tokens of their own.',
      hint: 'Staff see the same under /api/staff/customers.',
    },
    too_many_attempts: {
      message: 'There were too many wrong keys or tokens from this address.',
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
      hint: 'Roll back to one of its datasets to make it current again.',
    },
    submission_withdrawn: { message: 'This submission has been withdrawn.', hint: 'Submit the file again.' },
    submission_not_waiting: {
      message: 'This submission does not wait for a prediction.',
      hint: 'Those that do are listed under /api/staff/tower-work.',
    },
    submissions_too_many: {
      message: 'Too many of your submissions wait to be processed.',
      hint: 'Submit this file when some of them are done, or withdraw those that you do not need.',
    },
    published_meanwhile: {
      message: 'Another version has been published since you looked.',
      hint: 'Look at the difference to that one, and decide again.',
    },
    comparison_outdated: {
      message: 'What this would change is being compared with what is published now.',
      hint: 'Ask for the submission until its "comparison" is not null, look at what it says is lost, and publish it then.',
    },
    losses_unconfirmed: {
      message:
        'There is something to look at before this is published: "blocking" of the submission says what.',
      hint: 'To publish it all the same, send its "comparison" with the request.',
    },
    scopes_too_many: {
      message: 'The provider has published too many scopes of this technology.',
      hint: 'Take one that is no longer needed offline, or use the name of one that is to be replaced.',
    },
    provider_not_yours: {
      message: 'The token is for another provider than the manifest names.',
      hint: 'Leave the provider out, or name your own.',
    },
    technology_unknown: {
      message: 'There is no such technology.',
      hint: 'Use one of those that the message names.',
    },
    planned_date_past: {
      message: 'The planned date has passed.',
      hint: 'Coverage that is there by now is "available"; otherwise give the date that is expected now.',
    },
    attempts_exhausted: {
      message: 'The service ended unexpectedly each time it processed this file, so it does not try again.',
      hint: 'Simplify or split the file and submit it again. If that fails too, tell the people who run this service.',
    },
    too_many_streams: {
      message: 'This token follows too many submissions.',
      hint: 'End one of the streams first, or ask for the submission itself now and then.',
    },
  },
  Uploads: {
    file_unknown: {
      message: 'There is no such file.',
      hint: 'Check its id: GET /api/operator/files lists yours. Uploads that were not submitted expire after a day.',
    },
    file_not_complete: {
      message: 'The upload of the file is not complete.',
      hint: 'Resume its upload and submit it after that; or keep the answers with it: PUT /api/operator/files/<id>/answers.',
    },
    file_complete: {
      message: 'The upload of the file is complete, so it can be submitted at once.',
      hint: 'Send the manifest to POST /api/operator/submissions.',
    },
    file_already_submitted: {
      message: 'The file has been submitted already.',
      hint: 'GET /api/operator/files/<id> names its submission.',
    },
    file_not_usable: {
      message: 'The file cannot be used.',
      hint: 'The message says why. Correct the file and upload it again.',
    },
    upload_busy: {
      message: 'Another request is still sending to this upload.',
      hint: 'Ask with HEAD how far it is, and resume from there.',
    },
    uploads_too_many: {
      message: 'Too many of your uploads are not submitted yet.',
      hint: 'Submit or delete some of them (GET /api/operator/files lists them), or wait a day: then they expire.',
    },
    storage_full: {
      message: 'There is no room left for this file.',
      hint: 'Nothing of it was kept. Try again later; the people who run this service have to make room first.',
    },
    storage_quota_exceeded: {
      message: 'With this file, your files would take more room than you have.',
      hint: 'Delete uploads that you do not need, or ask the people who run this service for more room.',
    },
    storage_unavailable: {
      message: 'The storage of files is out of reach.',
      hint: 'Nothing of the file was kept. Try again in a few minutes.',
    },
  },
  Versions: {
    dataset_unknown: {
      message: 'There is no such version.',
      hint: 'Check its id: GET /api/operator/datasets lists yours.',
    },
    version_not_published: {
      message: 'This version is not published, or not any more.',
      hint: 'Ask for the versions again: GET /api/operator/datasets.',
    },
    version_not_kept: {
      message: 'The areas of this version are no longer kept.',
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
      hint: 'Look at what it says now, and save your changes again.',
    },
    provider_url_missing: {
      message: 'The provider has no web address yet.',
      hint: 'Save one in its profile; for a new provider, name it in the manifest as "url", or with --url.',
    },
    provider_name_fixed: {
      message: 'Only staff change the name of a provider.',
      hint: 'Leave "name" out, and ask the people who run this service.',
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
      hint: 'Withdraw the cancellation first.',
    },
    customer_not_cancelled: {
      message: 'The customer has not given notice, or its notice has taken effect.',
      hint: 'Start a plan instead.',
    },
    customer_token_unknown: {
      message: 'There is no such token.',
      hint: 'The tokens of a customer are listed under /api/staff/customers/<id>/tokens.',
    },
    no_plan: { message: 'The customer has no plan that could end.', hint: 'Revoke its keys instead.' },
    plan_unknown: { message: 'There is no such plan.', hint: 'Use one of those that the message names.' },
    plan_date_invalid: {
      message: 'The plan cannot start on that day.',
      hint: 'The message says from when it can.',
    },
    key_unknown: { message: 'There is no such key.', hint: 'GET the list of keys again.' },
    key_not_active: { message: 'This key is not active.', hint: 'Create a new key instead.' },
    too_many_keys: {
      message: 'Too many keys were created in the last 24 hours, revoked ones included.',
      hint: 'Use the keys that exist, or ask the people who run this service.',
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
      message: 'No more of the entry is left to reverse.',
      hint: 'Reverse at most what the message says is left.',
    },
    amount_unconfirmed: {
      message: 'A large amount has to be given twice.',
      hint: 'Send the same amount as "confirm_amount_cents".',
    },
    fee_unknown: {
      message: 'There is no such processing fee.',
      hint: 'GET /api/staff/processing-fees lists them.',
    },
    fee_state: {
      message: 'A fee in this state cannot take the other one.',
      hint: 'The hint says which states it can take.',
    },
    month_not_over: {
      message: 'The month is not over yet.',
      hint: 'It can be closed from the first of the next month on, New Zealand time.',
    },
    month_not_next: {
      message: 'An earlier month has to be closed first.',
      hint: 'Months are closed in their order, so that each has invoices of its own.',
    },
    preview_outdated: {
      message: 'The total has changed since the preview.',
      hint: 'Look at the preview again: late counts, or an entry that was posted meanwhile, are in it now.',
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
      message: 'A file in the archive is packed in a way that cannot be read here.',
      hint: 'Make the archive again as an ordinary zip file ("deflate").',
    },
    archive_too_large: {
      message: 'The archive unpacks to more than is accepted.',
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
      message: 'Nothing says what the pixels mean.',
      hint: 'Give each value, range or colour its speeds, or "coverage": false, in the form or as "classes" of the manifest.',
    },
    classes_do_not_fit: {
      message:
        'The classes of the manifest do not fit the pixels: some are of values, the others of colours.',
      hint: 'Give each class what the pixels have, as the inspection of the file shows.',
    },
    csv_without_areas: {
      message: 'The table has no column of polygons as text (WKT).',
      hint: 'Export the areas with it, as GeoPackage or a shapefile, or as CSV with a column WKT.',
    },
    feature_too_large: {
      message: 'A feature is larger than is accepted.',
      hint: 'Split very large areas, or simplify outlines that have far more vertices than the data is precise.',
    },
    file_empty: { message: 'The file is empty.', hint: 'Upload it again: the copy may have failed.' },
    file_truncated: {
      message: 'The file ends early: a part of it is missing.',
      hint: 'Export the layer again, and compare the sizes of the files before and after sending.',
    },
    flatgeobuf_damaged: {
      message: 'The FlatGeobuf file is damaged.',
      hint: 'Export the layer again from the program that it was made with.',
    },
    format_unknown: {
      message: 'The file is of no format that can be read.',
      hint: '/docs#/coverage-files lists the formats. Export the layers as a GeoPackage, or a raster as GeoTIFF.',
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
      hint: 'Export the layer again as GeoJSON, a FeatureCollection, from the program that it was made with.',
    },
    geopackage_damaged: {
      message: 'The file cannot be read as GeoPackage.',
      hint: 'Export the layers again.',
    },
    geopackage_views: {
      message: 'The GeoPackage has views in the place of layers; they are queries, and not run here.',
      hint: 'Export what they show as layers of a GeoPackage, and submit that.',
    },
    image_damaged: {
      message: 'An image of the KML is empty or damaged.',
      hint: 'Put the image into a KMZ beside the KML, and name it in the href.',
    },
    image_missing: {
      message: 'The KML lays an image on the ground that is not among the files.',
      hint: 'Save it as KMZ, which holds its images; or zip the KML and its images together.',
    },
    image_too_large: {
      message: 'An image has more pixels than are read.',
      hint: 'Cut it to the area of coverage, or into several files.',
    },
    kml_damaged: {
      message: 'The file is not KML, or is damaged.',
      hint: 'Export the coverage as KML or KMZ again, and look at the file before you submit it.',
    },
    kml_unsafe: {
      message: 'The KML holds what no program that writes coverage puts there.',
      hint: 'Export the coverage as KML again.',
    },
    layer_not_found: {
      message: 'The file does not have the layer that the manifest names.',
      hint: 'The message names those that it has.',
    },
    link_missing: {
      message: 'The coverage is not in the file, but in others that it refers to and that are not there.',
      hint: 'Put the KMLs that it refers to into one KMZ or zip with it.',
    },
    load_too_slow: {
      message: 'Loading the file took longer than it may.',
      hint: 'Submit the layers one by one, or simplify polygons that have far more vertices than the data is precise.',
    },
    no_areas: {
      message: 'No feature of the file could be used.',
      hint: 'Check that the layer shows areas in the program that it was made with, and export it again.',
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
      hint: 'Coverage is areas: export its polygons, not the sites or cables.',
    },
    outside_service_area: {
      message: 'The file lies outside the service area, as far as its reference system says.',
      hint: 'Check that this is the reference system that it was made in, and that it is the right file.',
    },
    overlay_not_placed: {
      message: 'The box of an overlay is not one.',
      hint: 'Give its LatLonBox in degrees, with north above south.',
    },
    overlay_unusable: {
      message: 'The images in the file cannot be laid on the ground.',
      hint: 'Give each GroundOverlay an Icon with href, and a LatLonBox or gx:LatLonQuad.',
    },
    quad_not_convex: {
      message: 'The four corners of an overlay do not go once around.',
      hint: 'Give the coordinates of its LatLonQuad counter-clockwise, beginning with the lower left corner of the image.',
    },
    raster_damaged: {
      message: 'The raster is damaged.',
      hint: 'Export the raster again, and compare the sizes of the files before and after sending.',
    },
    raster_not_placed: {
      message: 'Nothing says where the pixels of the raster are.',
      hint: 'Submit a GeoTIFF, or zip the image with its world file and its .prj, or lay it on the ground in a KML.',
    },
    raster_not_rectified: {
      message: 'The control points of the raster fit no placement without bending it.',
      hint: 'Rectify it (in QGIS with the Georeferencer, with GDAL gdalwarp), and submit the GeoTIFF that comes out.',
    },
    raster_not_supported: {
      message: 'The file holds no layer of areas, and not exactly one raster.',
      hint: 'Export the raster that is the coverage as GeoTIFF, or the areas as a layer.',
    },
    raster_too_fine: {
      message: 'The classes change from pixel to pixel: that is noise rather than coverage.',
      hint: 'Sieve the raster (the manifest\'s "sieve", or a majority filter), or use fewer and wider classes.',
    },
    reader_broke_off: {
      message: 'The program that reads files broke off on this one.',
      hint: 'The file may be damaged: export it again, or in another format.',
    },
    reader_out_of_memory: {
      message: 'Reading the file takes more memory than it may.',
      hint: 'Split very large polygons and images, or submit the layers one by one.',
    },
    reader_stalled: {
      message: 'Reading the file made no progress.',
      hint: 'Export the layer again, or as a GeoPackage or shapefile of its own.',
    },
    reader_too_slow: {
      message: 'Reading and loading the file took longer than it may.',
      hint: 'Submit the layers one by one, or simplify polygons that have far more vertices than the data is precise.',
    },
    records_do_not_match: {
      message: 'The files of the shapefile do not belong together.',
      hint: 'Export the layer again, and zip all of its files together.',
    },
    reference_outside: {
      message: 'The coverage is not in the file, but at addresses that are never fetched.',
      hint: 'Put the images and KMLs that it refers to into one KMZ or zip with it, with relative names.',
    },
    reference_system_missing: {
      message: 'Nothing says which reference system the coordinates are in.',
      hint: 'Answer the question of the submission form, or name it in the manifest as "crs": EPSG:2193.',
    },
    reference_system_unknown: {
      message: 'The reference system is not one that can be used.',
      hint: 'Export the layer in NZTM2000 (EPSG:2193) or WGS 84 (EPSG:4326), with its .prj file.',
    },
    shapefile_damaged: { message: 'The shapefile is damaged.', hint: 'Export the layer again.' },
    side_file_too_long: {
      message: 'A file beside the raster is far too long for what it is.',
      hint: 'Export the raster again.',
    },
    tab_not_native: {
      message: 'The MapInfo table is not a table of its own, but refers to other files.',
      hint: 'Save a copy of the table in MapInfo as a native TAB and submit that.',
    },
    tiers_too_many: {
      message: 'The file offers too many combinations of speeds, availability and date.',
      hint: 'Round the speeds to the classes that are sold, and the dates to months or quarters.',
    },
    tower_columns_missing: {
      message: 'Columns of the tower data are missing.',
      hint: '/docs#/operator-api/tower-data lists the columns.',
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
      message: 'The file is larger than tower data may be.',
      hint: 'If it is coverage, leave "processed_by" out of the manifest.',
    },
    towers_unreadable: {
      message: 'The file holds no towers.',
      hint: 'Give one row, or one GeoJSON point, for each.',
    },
    values_unknown: {
      message: 'No feature could be used, as nothing says what their values mean.',
      hint: 'Say in the manifest what they mean: for speeds in "tiers", for the technology and the availability in the "values" of their attributes.',
    },
    world_file_damaged: {
      message: 'The world file does not hold six numbers, which give pixels a size and a place.',
      hint: 'Export the image with its world file again, or submit a GeoTIFF.',
    },
  },
} as const satisfies Record<string, Record<string, KnownError>>;

type Catalogue = typeof errorCatalogue;

/** The code of an error of a request or of a file. */
export type KnownCode = { [Group in keyof Catalogue]: keyof Catalogue[Group] }[keyof Catalogue];

const byCode: Record<string, KnownError> = Object.assign({}, ...Object.values(errorCatalogue));

/** What is known of a code; undefined for errors of commands, which are told where they are started. */
export function knownError(code: string): KnownError | undefined {
  return Object.hasOwn(byCode, code) ? byCode[code] : undefined;
}
