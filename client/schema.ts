/* Made by `npm run client:types` from the description of the API. */

export interface paths {
    "/api/2.0/availability/{lat}/{lng}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up broadband at a position
         * @description Lists every technology once, fastest first. Technologies that nobody offers there come last, without `providers`. Each technology lists the providers that offer it with its `availability`, fastest first.
         */
        get: operations["getAvailability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.0/availability/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What broadband is at up to 10,000 positions
         * @description Streams the answers in the order of the list. An invalid position gets an error in its place. Each answered position counts as one query. All keys of a customer share an allowance of coordinates, separate from the rate limit.
         */
        post: operations["getAvailabilityOfMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.0/availability/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bulk jobs
         * @description Finds a job whose `Location` was lost.
         */
        get: operations["listBulkJobs"];
        put?: never;
        /**
         * Create a bulk job
         * @description Looks up a large file of positions in the background and keeps the result for a day. Each answered position counts as one query, once the result is ready; `cost` is the maximum cost. With `quote=1`, the job only quotes the cost and waits until you start it. If the answer is lost, send the file again with the same `Idempotency-Key`: the answer is the job of the first request.
         */
        post: operations["createBulkJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.0/availability/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a bulk job */
        get: operations["getBulkJob"];
        put?: never;
        post?: never;
        /**
         * Delete a bulk job and its result
         * @description A job that is deleted before it is done costs nothing.
         */
        delete: operations["deleteBulkJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.0/availability/jobs/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a quoted bulk job */
        post: operations["startBulkJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.0/availability/jobs/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the result of a bulk job */
        get: operations["getBulkResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.0/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List providers
         * @description Lists the providers with published coverage, by name. Does not count as a query.
         */
        get: operations["getProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/2.0/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this month’s usage
         * @description Does not count as a query. Queries of the last second may be missing. Amounts are in cents, excluding GST.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/1.0/availability/yx/{y}/{x}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up broadband at a position (version 1.0)
         * @deprecated
         * @description Deprecated since 1 February 2022. Every answer has a `Deprecation` header, and a `Link` header with its successor.
         */
        get: operations["getAvailability1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/1.0/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check domain names
         * @description Give either `string`, a label to check in every zone, or `domains[]`, full names that are answered in order. The parameters may also be form-encoded in the body of the GET. An invalid name gets an entry with an error code; the status is still 200. Each entry of the answer counts against the registrar’s rate limit. Only the registered IP addresses of registrars have access.
         */
        get: operations["getNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/1.0/droplist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List names about to be released
         * @description Lists the names whose `release_date` is at most two days ahead, or past without a release, by `drop_date`, then by name. Names that a daily run has released stay until the end of its window, 00:00:34. Only the registered IP addresses of registrars have access.
         */
        get: operations["getDroplist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/1.0/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the zones
         * @description The zones under which names are registered, and what each sells to whom. It counts as one name. Only the registered IP addresses of registrars have access.
         */
        get: operations["getZones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List submissions */
        get: operations["listSubmissions"];
        put?: never;
        /**
         * Submit a file
         * @description Takes a form with a file and its manifest, or JSON that names an uploaded file. The file is stored when the answer arrives, and processed in the background.
         */
        post: operations["submitFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a submission with its manifest, report and lost areas */
        get: operations["getSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the original file */
        get: operations["getFileOfSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/reprocess": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reprocess a submission’s file */
        post: operations["reprocessSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish a submission */
        post: operations["publishSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw a submission before it is published */
        post: operations["withdrawSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change the note of a submission */
        put: operations["changeNote"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/towers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the towers of a submission */
        get: operations["getTowersOfSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download the strongest signal that was modelled from towers */
        get: operations["getSignalOfSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/signal/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a picture of the strongest signal
         * @description Greys: 0 is no signal, each other one a decibel above the floor that `modelling.report.picture` has, with the place of the picture.
         */
        get: operations["getSignalPictureOfSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the profile from a tower to a place
         * @description The ground between, and the loss on it, as they were modelled.
         */
        get: operations["getPathProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/speeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give modelled coverage other speeds by received power
         * @description While it waits to be published. What is received is not worked out again, so that it takes a moment.
         */
        post: operations["changeModelledSpeeds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the progress of a submission
         * @description Streams server-sent events. Each `submission` event has the full state, with its revision as the ID; `end` is the last event. The stream ends without `end` when its token or session ends. A token can have ten streams at once.
         */
        get: operations["followSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/tiles/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a tile of a submission’s coverage */
        get: operations["getSubmissionTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submissions/{id}/change/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a tile of what a submission would change */
        get: operations["getChangeTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/datasets/{id}/tiles/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a tile of a version’s coverage */
        get: operations["getDatasetTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tower-template.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a template for tower data
         * @description Every column, with two sectors as an example. Replace the rows, and remove columns that you do not need.
         */
        get: operations["getTowerTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the choices and limits for forms */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List provider profiles */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a provider profile */
        get: operations["getProvider"];
        /**
         * Save a provider profile
         * @description All lookups show the saved profile, and manifests no longer change it. Only staff can rename a provider.
         */
        put: operations["saveProvider"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List drafts */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an uploaded file and its inspection */
        get: operations["getFile"];
        put?: never;
        post?: never;
        /** Discard an uploaded file */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/files/{id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save the answers for a file that is still uploading
         * @description The file is submitted with this manifest after it is uploaded and inspected. If the inspection raises a question that the manifest leaves open, the file becomes a draft instead, and `submits` is false. `submit: false` withdraws the answers: they stay with the draft.
         */
        put: operations["keepAnswers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a resumable upload (tus 1.0)
         * @description Any [tus 1.0](https://tus.io/protocols/resumable-upload) client works. With a `manifest` in the metadata, the file is submitted when the upload is complete; without one, it becomes a draft.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Discard an upload */
        delete: operations["deleteUpload"];
        options?: never;
        /** Get the offset of an upload */
        head: operations["getUploadOffset"];
        /** Continue an upload */
        patch: operations["continueUpload"];
        trace?: never;
    };
    "/api/operator/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List versions of coverage */
        get: operations["listDatasets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/datasets/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Roll back to an earlier version */
        post: operations["rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/datasets/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a published version offline
         * @description Nothing replaces it: lookups answer from the provider’s other scopes. To publish it again, roll back to it.
         */
        post: operations["unpublish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the current session */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in with a token
         * @description For browsers. Sets an HTTP-only session cookie that lasts 12 hours, but no longer than the token.
         */
        post: operations["signIn"];
        /** Sign out */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/tower-work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List submissions that await modelling */
        get: operations["listWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/tower-work/{id}/towers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the towers of a submission */
        get: operations["getTowers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/tower-work/{id}/prediction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Attach the coverage modelled from the towers */
        post: operations["attachPrediction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/tower-work/{id}/predict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Model coverage from the towers, with other parameters
         * @description A worker models it, in place of staff’s work that is awaited, or of coverage that the service has modelled and that is not published.
         */
        post: operations["modelTowers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/tower-work/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject tower data that cannot be modelled */
        post: operations["refuseTowers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tile sets */
        get: operations["listTileSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{set}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a tile set as TileJSON 3.0 */
        get: operations["getTileSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tiles/{set}/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tile of published coverage
         * @description The tile has one layer, `coverage`: polygons whose properties the TileJSON of the set lists.
         */
        get: operations["getTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/basemap.pmtiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a part of the basemap */
        get: operations["getBasemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/map/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up broadband for the public map
         * @description For the map of this server only; limited by IP address, by the second and by the day. Applications use /api/2.0/ with a key.
         */
        get: operations["lookUpForMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/map/nearest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the coverage nearest to a place that has none, for the public map
         * @description For the map of this server only; limited by IP address, by the second and by the day. Applications use /api/2.0/ with a key.
         */
        get: operations["findNearestForMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/map/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the settings of the public map */
        get: operations["getMapSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List audit events */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the work that is not done */
        get: operations["getWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/processing-fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List processing fees */
        get: operations["listProcessingFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/processing-fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an operator’s processing fees */
        get: operations["listOwnProcessingFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/processing-fees/{id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the state of a processing fee */
        post: operations["setStateOfProcessingFee"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/invoices/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview the invoices of a month */
        get: operations["previewClose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/invoices/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a month and issue its invoices
         * @description Issues invoices for the overage and processing fees of the month and the plan fees of the next. Closing a closed month changes nothing.
         */
        post: operations["closeMonth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invoices */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invoices */
        get: operations["listOwnInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/invoices/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an invoice with its ledger entries */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/invoices/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an invoice */
        get: operations["getOwnInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List ledger entries */
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/ledger/{id}/reversal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reverse a ledger entry in full or in part */
        post: operations["reverseEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Charge a customer or an operator */
        post: operations["bookCharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Credit a customer or an operator */
        post: operations["bookCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the statement of an account */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the statement of the account */
        get: operations["getOwnStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List customers */
        get: operations["listCustomers"];
        put?: never;
        /** Create a customer, optionally with a plan */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/plans/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview what starting or changing a plan issues */
        get: operations["previewPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a customer with its plans, keys and tokens */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start or change a plan
         * @description A plan that begins today or earlier is invoiced at once. `GET /api/staff/plans/preview` shows the invoice.
         */
        post: operations["setPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a customer’s subscription */
        post: operations["cancelCustomer"];
        /** Withdraw a cancellation */
        delete: operations["withdrawCancellation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/overage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Allow or refuse overage without a plan */
        post: operations["allowOverage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the address and contact for invoices */
        post: operations["setContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a customer’s tokens */
        get: operations["listCustomerTokens"];
        put?: never;
        /** Create a token for a customer */
        post: operations["createCustomerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/tokens/{token}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a token and end its sessions */
        post: operations["revokeCustomerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the usage of all customers in a month */
        get: operations["getUsageOfAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a customer’s usage in a month */
        get: operations["getUsageOfCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the account’s usage in a month */
        get: operations["getOwnUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List keys */
        get: operations["listKeysOfCustomer"];
        put?: never;
        /** Create a key */
        post: operations["createKeyOfCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/keys/{key}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate a key */
        post: operations["rotateKeyOfCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/customers/{id}/keys/{key}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a key */
        post: operations["revokeKeyOfCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List keys */
        get: operations["listKeys"];
        put?: never;
        /** Create a key */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/keys/{key}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate a key */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/keys/{key}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a key */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/billing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get plans, terms and the next month to close */
        get: operations["getBilling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the account */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the address and contact for invoices */
        post: operations["setOwnContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this description (OpenAPI 3.1) */
        get: operations["getDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process is running */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the service can answer lookups */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read metrics in the format of Prometheus */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Accepted: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["SubmissionStatus"];
            duplicate: boolean;
            links: components["schemas"]["Links"];
        };
        AskedCoordinate: [
            number,
            number
        ] | {
            lat: number | string;
            lng: number | string;
            id?: string | number;
        };
        AttributeQuestion: {
            /** @enum {string} */
            about: "technology" | "availability" | "planned_date" | "speeds";
            /** @description Null: the names of layers. */
            attribute: string | null;
            /** @description Texts that would be ignored. */
            values: string[];
            /** @description Numbers taken for speeds that may be codes: each stands beside the text of the same position in `values`. */
            numbers?: {
                attribute: string;
                values: string[];
            };
        };
        AuditEvent: {
            id: number;
            /** Format: date-time */
            at: string;
            actor: {
                /** @enum {string} */
                kind: "operator" | "staff" | "customer" | "command" | "service";
                name: string;
                token_id: number | null;
            };
            address: string | null;
            action: string;
            provider: string | null;
            customer: string | null;
            /** Format: uuid */
            submission_id: string | null;
            dataset_id: number | null;
            details: {
                [key: string]: unknown;
            };
        };
        Availability: {
            /** @description As in the request. */
            location: {
                lat: string;
                lng: string;
            };
            /** @description By maximum download speed, descending. */
            results: components["schemas"]["TechnologyAvailability"][];
        };
        Availability1: {
            /** @description As in the request: longitude, then latitude. */
            location: [
                string,
                string
            ];
            /** @description By maximum download speed, descending. */
            results: components["schemas"]["TechnologyAvailability1"][];
        };
        BillingContact: {
            /** @description As printed on invoices; empty if unknown. */
            address: string;
            /** @description An email address, phone number, NZBN or website; may be empty. */
            contact: string;
        };
        BulkAnswer: {
            /** @description As in the request. */
            id?: string | number;
            /** @description Absent if the request had none. */
            location?: {
                lat: string;
                lng: string;
            };
            results?: components["schemas"]["TechnologyAvailability"][];
            /** @description Replaces `results` if the position could not be looked up. */
            error?: {
                code: number;
                error: string;
            };
        };
        BulkJob: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "quoted" | "queued" | "running" | "done" | "failed";
            percent: number;
            /** @description The coordinates read so far. */
            coordinates: number;
            /** @description The coordinates answered so far. They count as queries once the job is done. */
            answered: number;
            cost: {
                /** @description The lines that are neither empty nor a header. */
                coordinates: number;
                free: number;
                /** @description The queries covered by the plan. */
                included: number;
                overage: number;
                /** @description Cents, excluding GST. */
                overage_cents: number;
            } | null;
            error: components["schemas"]["ErrorReport"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When the file and the result are deleted.
             */
            expires_at: string | null;
            links: {
                self: string;
                /** @description Present until the job is started. */
                start?: string;
                /** @description Present when the job is done. */
                result?: string;
            };
        };
        Catalog: {
            provider: components["schemas"]["ProviderProfile"] | null;
            /** @description The providers that a manifest may name. */
            providers: components["schemas"]["NamedProvider"][];
            technologies: {
                name: string;
                label: string;
                set_id: number;
            }[];
            /** @description The provider’s live coverage; for staff, everyone’s. A publication replaces the live coverage of the same technology and scope, ignoring case. */
            published: components["schemas"]["PublishedCoverage"][];
            /** @description The fees for modelling coverage from towers: an operator’s first, each later one, and this operator’s next (null for staff). Cents, excluding GST. */
            processing_fees: {
                first_cents: number;
                later_cents: number;
                next_cents: number | null;
            };
            availabilities: ("available" | "underway" | "planned")[];
            wholesale_networks: ("Yes" | "No" | "Both")[];
            speed_fields: ("bandwidth_min_mbps" | "bandwidth_max_mbps" | "bandwidth_up_min_mbps" | "bandwidth_up_max_mbps")[];
            speed_units: ("kbps" | "mbps" | "gbps")[];
            tower_fields: string[];
            /** @description The maximum size of a file. */
            upload_limit_bytes: number;
            service_area: {
                south: number;
                west: number;
                north: number;
                east: number;
            };
            basemap_style_url: string | null;
            /** @description A PMTiles archive of streets; null where the server has none. */
            basemap_file: {
                url: string;
                /** @enum {string} */
                tile_schema: "protomaps" | "openmaptiles";
            } | null;
            /**
             * Format: date
             * @description Today in New Zealand. Earlier planned dates are refused.
             */
            today: string;
        };
        Change: {
            compared_with: number | null;
            /** @description Whether `compared_with` is still live. */
            current: boolean;
            gained_km2: number;
            /** @description The live area of the same scope that would be lost. */
            lost_km2: number;
            unchanged_km2: number;
            /** @description The part of `lost_km2` that another live scope covers with at least the same availability. */
            still_covered_km2: number;
            /** @description The part of `unchanged_km2` that is available now and would no longer be. */
            downgraded_km2: number;
        };
        CodedError: {
            /** @description A stable code for programs. */
            code: string;
            /** @description What is wrong. */
            message: string;
            /** @description What to do about it. */
            hint?: string;
            /** @description The address of the error’s documentation, such as `/docs#/errors/request_invalid`. */
            docs: string;
        };
        ColourSummary: {
            /** @constant */
            kind: "colours";
            /** @description The pixels counted; a sample if fewer than `total`. */
            counted: number;
            total: number;
            /** @description The share that is transparent or has no data. */
            empty: number;
            /** @description Most frequent first; similar colours are merged. */
            colours: {
                colour: string;
                tolerance: number;
                share: number;
            }[];
            /** @description The share of the colours that are not listed. */
            others: number;
        };
        Customer: {
            id: number;
            name: string;
            /** Format: date-time */
            created_at: string;
            plan: components["schemas"]["PlanPeriod"] | null;
            next_plan: components["schemas"]["PlanPeriod"] | null;
            /** Format: date */
            cancelled_on: string | null;
            /**
             * Format: date
             * @description The first day after the subscription.
             */
            ends_on: string | null;
            free_queries: number;
            free_left: number;
            /** @description Whether queries past the free allowance are answered and charged. */
            overage_allowed: boolean;
            month: {
                month: string;
                queries: number;
                bundle: number;
            };
            periods: {
                plan: string;
                label: string;
                /** Format: date */
                begins: string;
                /** Format: date */
                ends: string | null;
            }[];
            keys: components["schemas"]["Key"][];
            /** @description For staff only. */
            tokens?: components["schemas"]["CustomerToken"][];
            contact: components["schemas"]["BillingContact"];
        };
        CustomerToken: {
            id: number;
            /** @description The first characters of the secret. */
            hint: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            name: string;
            /** Format: date-time */
            expires_at: string;
            /**
             * @description `expiring`: the token expires within 30 days.
             * @enum {string}
             */
            state: "active" | "expiring" | "expired" | "revoked";
        };
        CustomerUsage: {
            month: string;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            /** Format: date-time */
            as_of: string;
            /** @description The sum of `free`, `bundled` and `overage`. */
            queries: number;
            free: number;
            overage: number;
            /** @description The queries that the plan includes. */
            bundle: number;
            free_left: number;
            /** @description Whether queries past the free allowance are answered. */
            overage_allowed: boolean;
            /** @description Cents, excluding GST. */
            overage_cents: number;
            limit: components["schemas"]["ShownLimit"] | null;
            customer: components["schemas"]["NamedCustomer"];
            closed: boolean;
            plan: {
                name: string;
                label: string;
                bundled_queries: number;
                /** @description Cents, excluding GST. */
                price_cents: number;
                /** @description The number of days in the month with this plan. */
                days: number;
                days_in_month: number;
            } | null;
            bundled: number;
            /** @description Cents, excluding GST. */
            plan_fee_cents: number;
            projection: components["schemas"]["Projection"] | null;
            days: components["schemas"]["DayQueries"][];
            keys: {
                id: number;
                label: string;
                hint: string;
                queries: number;
            }[];
            /** @description The number of the month’s invoice; null until the month is closed. */
            invoice: number | null;
        };
        Dataset: {
            id: number;
            technology: string;
            /** @description Empty for coverage without a scope. */
            scope: string;
            state: components["schemas"]["DatasetState"];
            area_km2: number | null;
            can_roll_back: boolean;
            /** @description The live version with the same technology and scope. */
            replaces: number | null;
            /** Format: uuid */
            submission_id: string;
            provider: components["schemas"]["NamedProvider"];
            file_name: string;
            /** Format: date-time */
            received_at: string;
            /**
             * Format: date-time
             * @description When the version last went live.
             */
            published_at: string | null;
            /** Format: date-time */
            superseded_at: string | null;
            /** @description The operator’s note, on one line. */
            note: string;
            /** @enum {string} */
            processed_by: "operator" | "service";
            /** @description The fee that rolling back charges. Cents, excluding GST; null if none. */
            processing_fee_cents: number | null;
        };
        /** @enum {string} */
        DatasetState: "ready" | "published" | "superseded" | "restoring" | "withdrawn";
        DayQueries: {
            /** Format: date */
            date: string;
            queries: number;
        };
        DroplistEntry: {
            /** @description The name as the register stores it. */
            domain: string;
            /** @description When the name was registered. */
            registered: string;
            /** @description When the name was cancelled. */
            cancel_date: string;
            /** @description When the name can be released: 90 days after `cancel_date`. */
            release_date: string;
            /** @description When the name is expected to be released: the end of the first daily run after `release_date`. */
            drop_date: string;
        };
        EarlierClasses: {
            file_name: string;
            classes: components["schemas"]["PixelClass"][];
        };
        Error: {
            /** @description The HTTP status. */
            code: number;
            error: string;
        };
        ErrorReport: {
            code: string;
            message: string;
            hint?: string;
            /** @description With `reference_system_missing` and `outside_service_area`: choose one. */
            choices?: components["schemas"]["ReferenceSystemChoice"][];
        };
        Example: {
            layer: string;
            /** @description The number of the feature in the file. */
            feature: number;
            name?: string;
            /** @description The value that could not be used. */
            value?: string;
            lat?: number;
            lng?: number;
        };
        InspectedLayer: {
            name: string;
            format: string;
            reference_system: string | null;
            attributes: string[];
            /** @description Sample values, by attribute. */
            examples: {
                [key: string]: string[];
            };
            mapping: components["schemas"]["MappedAttribute"][];
            /** @description The meanings of the texts of attributes that have few, if named for them; null: not known. */
            texts?: {
                [key: string]: {
                    [key: string]: components["schemas"]["TextMeaning"];
                };
            };
            /** @description Attributes with texts of both directions, such as "100/20". */
            both_directions?: string[];
            pixels?: components["schemas"]["PixelSummary"];
            /** @description Present if `reference_system` is null, or if nothing of the layer lies in the service area in that system. */
            reference_system_choices?: components["schemas"]["ReferenceSystemChoice"][];
        };
        Inspection: {
            /** @enum {string} */
            kind: "coverage" | "towers";
            layers: components["schemas"]["InspectedLayer"][];
            manifest: components["schemas"]["Manifest"];
            /** @description The speeds that no attribute of the file has. */
            speeds_missing: ("bandwidth_min_mbps" | "bandwidth_max_mbps" | "bandwidth_up_min_mbps" | "bandwidth_up_max_mbps")[];
            warnings: {
                code: string;
                message: string;
            }[];
            /** @description Attributes that nothing uses and that may say something. The manifest answers: its `attributes` name the attribute, or its `ignore` does. */
            questions?: components["schemas"]["AttributeQuestion"][];
            /** @description For tower data. `problems` describe the rows that cannot be used. */
            towers: {
                count: number;
                problems: string[];
            } | null;
        };
        Invoice: {
            number: number;
            /**
             * @description `month`: the month was closed. `plan_start`: a plan started during the month and is billed in advance.
             * @enum {string}
             */
            occasion: "month" | "plan_start";
            month: string;
            recipient: {
                /** @enum {string} */
                kind: "customer" | "operator";
                id: number;
                name: string;
            };
            /** Format: date */
            issued_on: string;
            /**
             * Format: date
             * @description Null if nothing is due.
             */
            due_on: string | null;
            /** @description Cents, excluding GST. */
            subtotal_cents: number;
            /** @description The GST, in cents. */
            gst_cents: number;
            /** @description Cents, including GST; negative for a credit. */
            total_cents: number;
            /** @description The amount to pay. Cents, including GST. */
            due_cents: number;
            /** @description The credit that the previous invoice carried forward. Cents, including GST. */
            brought_forward_cents: number;
            /** @description The credit left for the next invoice. Cents, including GST. */
            carried_forward_cents: number;
        };
        InvoiceDetail: {
            number: number;
            /**
             * @description `month`: the month was closed. `plan_start`: a plan started during the month and is billed in advance.
             * @enum {string}
             */
            occasion: "month" | "plan_start";
            month: string;
            recipient: {
                /** @enum {string} */
                kind: "customer" | "operator";
                id: number;
                name: string;
                address: string;
                contact: string;
            };
            /** Format: date */
            issued_on: string;
            /**
             * Format: date
             * @description Null if nothing is due.
             */
            due_on: string | null;
            /** @description Cents, excluding GST. */
            subtotal_cents: number;
            /** @description The GST, in cents. */
            gst_cents: number;
            /** @description Cents, including GST; negative for a credit. */
            total_cents: number;
            /** @description The amount to pay. Cents, including GST. */
            due_cents: number;
            /** @description The credit that the previous invoice carried forward. Cents, including GST. */
            brought_forward_cents: number;
            /** @description The credit left for the next invoice. Cents, including GST. */
            carried_forward_cents: number;
            usage: {
                month: string;
                /** @description The sum of `free`, `bundled` and `overage`. */
                queries: number;
                free: number;
                overage: number;
                /** @description The queries that the plan includes. */
                bundle: number;
                bundled: number;
            } | null;
            gst_percent: number;
            issuer: {
                name: string;
                address: string;
                gst_number: string;
                payment: string;
            };
            lines: {
                position: number;
                /** @enum {string} */
                kind: "adjustment" | "overage" | "plan_fee" | "processing_fee" | "charge" | "waiver" | "credit" | "reversal";
                month: string;
                description: string;
                quantity: number;
                /** @description Cents, excluding GST. */
                unit_price_cents: number;
                /** @description Cents, excluding GST; negative for waivers and credits. */
                amount_cents: number;
                entry: {
                    id: number;
                    cause: string;
                    /** Format: date-time */
                    booked_at: string;
                    booked_by: string;
                    /** @description The figures behind the amount; the fields depend on the kind. */
                    source: {
                        [key: string]: unknown;
                    };
                };
            }[];
        };
        InvoiceTotals: {
            count: number;
            /** @description Cents, excluding GST. */
            subtotal_cents: number;
            /** @description The GST, in cents. */
            gst_cents: number;
            /** @description Cents, including GST; negative for a credit. */
            total_cents: number;
            /** @description The amount to pay. Cents, including GST. */
            due_cents: number;
        };
        Key: {
            id: number;
            /** @description The first characters of the secret. */
            hint: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            label: string;
            /** @description The pages that may show `/embed` with it; null: a key for programs. */
            origin: string | null;
            /** @enum {string} */
            state: "active" | "expiring" | "expired" | "revoked";
            /** Format: date-time */
            expires_at: string | null;
            replaced_by: number | null;
            /**
             * Format: date-time
             * @description The start of the last hour with a billable query, or the key’s creation if it is later.
             */
            last_used: string | null;
        };
        KeyUsage: {
            month: string;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            /** Format: date-time */
            as_of: string;
            /** @description The sum of `free`, `bundled` and `overage`. */
            queries: number;
            free: number;
            overage: number;
            /** @description The queries that the plan includes. */
            bundle: number;
            free_left: number;
            /** @description Whether queries past the free allowance are answered. */
            overage_allowed: boolean;
            /** @description Cents, excluding GST. */
            overage_cents: number;
            limit: components["schemas"]["ShownLimit"] | null;
            plan: string | null;
            /** @description The part of `queries` made with this key. */
            key_queries: number;
            bundle_left: number;
        };
        LedgerEntry: {
            id: number;
            account: {
                /** @enum {string} */
                kind: "customer" | "operator";
                id: number;
                name: string;
            };
            /** @enum {string} */
            kind: "adjustment" | "overage" | "plan_fee" | "processing_fee" | "charge" | "waiver" | "credit" | "reversal";
            month: string;
            description: string;
            quantity: number;
            /** @description Cents, excluding GST. */
            unit_price_cents: number;
            /** @description Cents, excluding GST. */
            amount_cents: number;
            /** Format: date-time */
            booked_at: string;
            /** @description The entry that this one reverses. */
            corrects: number | null;
            /** @description The amount that can still be reversed. Cents, excluding GST. */
            left_cents: number;
            /** @description The number of its invoice. */
            invoice: number | null;
            /**
             * @description `unbilled`: it goes on the next invoice. `settled`: it was reversed before it was invoiced.
             * @enum {string}
             */
            state: "unbilled" | "invoiced" | "settled";
            cause: string;
            source: {
                [key: string]: unknown;
            };
            booked_by: string;
        };
        /** @description URLs of related resources. */
        Links: {
            [key: string]: string;
        };
        ListedCustomer: {
            id: number;
            name: string;
            /** Format: date-time */
            created_at: string;
            plan: components["schemas"]["PlanPeriod"] | null;
            next_plan: components["schemas"]["PlanPeriod"] | null;
            /** Format: date */
            cancelled_on: string | null;
            /**
             * Format: date
             * @description The first day after the subscription.
             */
            ends_on: string | null;
            free_queries: number;
            free_left: number;
            /** @description Whether queries past the free allowance are answered and charged. */
            overage_allowed: boolean;
            month: {
                month: string;
                queries: number;
                bundle: number;
            };
            active_keys: number;
        };
        LostArea: {
            km2: number;
            west: number;
            south: number;
            east: number;
            north: number;
        };
        Manifest: {
            /** @description The provider and its profile. A name alone leaves the profile unchanged. */
            provider?: string | {
                name: string;
                url?: "" | string;
                /** @enum {string} */
                wholesale_network?: "Yes" | "No" | "Both";
                description?: string;
                area_served?: string[];
            };
            /** @description The technology of every area without one in its attributes. Required unless `attributes` names an attribute for it. */
            technology?: string;
            /**
             * @description The part of the provider’s coverage that this file holds, such as a region, "planned" or a product. Publishing replaces only the live coverage of the same scope, ignoring case. Empty for coverage without a scope.
             * @default
             */
            scope?: string;
            /**
             * @default available
             * @enum {string}
             */
            availability?: "available" | "underway" | "planned";
            planned_date?: string;
            /**
             * @description The speeds, in Mbps, of areas whose attributes give none.
             * @default {}
             */
            speeds?: {
                bandwidth_min_mbps?: number;
                bandwidth_max_mbps?: number;
                bandwidth_up_min_mbps?: number;
                bandwidth_up_max_mbps?: number;
            };
            /**
             * @description The attributes of the file that hold speeds, technology, availability and planned date.
             * @default {}
             */
            attributes?: {
                bandwidth_min_mbps?: null | string | {
                    field: string;
                    /** @enum {string} */
                    unit?: "kbps" | "mbps" | "gbps";
                };
                bandwidth_max_mbps?: null | string | {
                    field: string;
                    /** @enum {string} */
                    unit?: "kbps" | "mbps" | "gbps";
                };
                bandwidth_up_min_mbps?: null | string | {
                    field: string;
                    /** @enum {string} */
                    unit?: "kbps" | "mbps" | "gbps";
                };
                bandwidth_up_max_mbps?: null | string | {
                    field: string;
                    /** @enum {string} */
                    unit?: "kbps" | "mbps" | "gbps";
                };
                technology?: null | string | {
                    field: string;
                    values?: {
                        [key: string]: string | null;
                    };
                };
                availability?: null | string | {
                    field: string;
                    values?: {
                        [key: string]: "available" | "underway" | "planned" | null;
                    };
                };
                planned_date?: null | string | {
                    field: string;
                };
            };
            /** @description Attributes that say nothing of the coverage: the file is read as if it did not have them, and nothing is asked about them. */
            ignore?: string[];
            /** @description An attribute whose values stand for speeds, such as the folder or style of a KML. */
            tiers?: {
                field: string;
                values: {
                    [key: string]: {
                        /** @default true */
                        coverage?: boolean;
                        /** @default {} */
                        speeds?: {
                            bandwidth_min_mbps?: number;
                            bandwidth_max_mbps?: number;
                            bandwidth_up_min_mbps?: number;
                            bandwidth_up_max_mbps?: number;
                        };
                        technology?: string;
                        /** @enum {string} */
                        availability?: "available" | "underway" | "planned";
                        planned_date?: string;
                    };
                };
            };
            /** @description The pixel classes of a raster. */
            classes?: {
                colour?: string;
                tolerance?: number;
                value?: number;
                min?: number;
                max?: number;
                /** @default true */
                coverage?: boolean;
                /** @default {} */
                speeds?: {
                    bandwidth_min_mbps?: number;
                    bandwidth_max_mbps?: number;
                    bandwidth_up_min_mbps?: number;
                    bandwidth_up_max_mbps?: number;
                };
                technology?: string;
                /** @enum {string} */
                availability?: "available" | "underway" | "planned";
                planned_date?: string;
            }[];
            /**
             * @description Whether to smooth the outlines of raster areas.
             * @default false
             */
            smoothing?: boolean;
            /** @description Raster areas with fewer pixels than this take the class around them. */
            sieve?: number;
            /** @description The layers to read; all layers with areas by default. */
            layers?: string[];
            /** @description The coordinate reference system, if the file does not name it, or names one in which nothing of it lies in the service area: `EPSG:2193`, or a definition in WKT. */
            crs?: string;
            /**
             * @description Whether to publish automatically after validation, or to review first.
             * @default review
             * @enum {string}
             */
            publish?: "auto" | "review";
            /**
             * @description Who modelled the coverage. `service` in an operator's manifest: the file holds the towers to model it from.
             * @default operator
             * @enum {string}
             */
            processed_by?: "operator" | "service";
            /** @description How to model coverage from towers; see docs/operator/tower-data.md. */
            prediction?: {
                /**
                 * @description The receiver, and the speeds by received power; `fixed-wireless` by default.
                 * @enum {string}
                 */
                profile?: "fixed-wireless" | "point-to-multipoint";
                /** @description The speeds from a received power on, in place of those of the profile. */
                speeds?: {
                    /** @description Received, over the whole channel. */
                    dbm: number;
                    bandwidth_min_mbps: number;
                    bandwidth_max_mbps: number;
                    bandwidth_up_min_mbps: number;
                    bandwidth_up_max_mbps: number;
                }[];
                /** @description How far from a tower; 30 by default. */
                range_km?: number;
                /** @description Of pixels and profiles; that of the finest terrain by default, at least 30. */
                resolution_m?: number;
                /** @description Above the ground; that of the profile by default. */
                receiver_height_m?: number;
                /** @description That of the profile by default. */
                receiver_gain_dbi?: number;
                /** @description Of the time with at least the modelled signal; 90 by default. */
                time_percent?: number;
                /** @description Of places with at least that signal; 50 by default. */
                location_percent?: number;
                /** @description Of situations with at least that signal; 50 by default. */
                situation_percent?: number;
                /** @description By the numbers of the Irregular Terrain Model; 6, maritime temperate over land, by default. */
                climate?: number;
                /** @description Of the air at sea level, in N-units; 320 by default. */
                refractivity?: number;
            };
        };
        MappedAttribute: {
            /** @enum {string} */
            to: "bandwidth_min_mbps" | "bandwidth_max_mbps" | "bandwidth_up_min_mbps" | "bandwidth_up_max_mbps" | "technology" | "availability" | "planned_date" | "tiers";
            attribute: string;
            /** @enum {string} */
            unit?: "kbps" | "mbps" | "gbps";
            /** @enum {string} */
            from: "manifest" | "recognised" | "assumed";
        };
        MessageError: {
            message: string;
        };
        ModelledSpeeds: {
            /** @description Received, over the whole channel. */
            dbm: number;
            bandwidth_min_mbps: number;
            bandwidth_max_mbps: number;
            bandwidth_up_min_mbps: number;
            bandwidth_up_max_mbps: number;
        }[];
        Modelling: {
            /**
             * @description `waiting`: a worker models it, or will. `done`: the prediction is the service’s. `declined`: staff decide, for the reason. `cancelled`: staff attached a prediction or refused the towers, or the submission was withdrawn.
             * @enum {string}
             */
            state: "waiting" | "done" | "declined" | "cancelled";
            /** @description Why staff have to decide. */
            reason: components["schemas"]["ErrorReport"] | null;
            /** @description As they were asked for. */
            parameters: components["schemas"]["ModellingParameters"];
            /** @description What was modelled, and of what; where one submission is asked for. */
            report?: {
                /** @description With its version: another may give other coverage. */
                model: string;
                profile: string;
                /** @description From each received power on, the strongest first. */
                speeds: {
                    dbm: number;
                    bandwidth_min_mbps: number;
                    bandwidth_max_mbps: number;
                    bandwidth_up_min_mbps: number;
                    bandwidth_up_max_mbps: number;
                }[];
                /** @description All, with those that are the default. */
                parameters: {
                    range_km: number;
                    resolution_m: number;
                    receiver_height_m: number;
                    receiver_gain_dbi: number;
                    time_percent: number;
                    location_percent: number;
                    situation_percent: number;
                    climate: number;
                    refractivity: number;
                };
                /** @description The elevation models around the towers, the finest first; at most 100. */
                terrain: {
                    name: string;
                    resolution_m: number;
                }[];
                /** @description The land cover that weakens the signal, by its part of all ground with a signal; null: none was used. */
                clutter: {
                    classes: {
                        class: number;
                        name: string | null;
                        /** @description At the height of the receiver. */
                        loss_db: number;
                        share: number;
                    }[];
                    /** @description Ground without a class that the table knows, which counts as open. */
                    unlisted_share: number;
                } | null;
                /** @description Where the picture of the signal lies, in degrees (WGS 84), its rows even in Web Mercator, and the power at a grey of 0. */
                picture: {
                    place: {
                        west: number;
                        south: number;
                        east: number;
                        north: number;
                    };
                    floor_dbm: number;
                };
                /** @description The part of the surroundings without terrain, which was taken as sea. */
                unknown_share: number;
                /** @description The number of areas. */
                areas: number;
                /** @description Towers of one place, height, frequency and polarisation are one site. */
                sites: number;
                /** @description Sites that had been worked out before, from the same data. */
                sites_reused: number;
                towers: {
                    name: string | null;
                    lat: number;
                    lng: number;
                    /** @description Where its signal is the strongest, whatever the speed. */
                    area_km2: number;
                    /** @description The part of all ground with a signal. */
                    share: number;
                    unknown_share: number;
                }[];
            } | null;
            /** @description The strongest signal, at `links.signal`. */
            signal: {
                size_bytes: number;
            } | null;
            /** Format: date-time */
            requested_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        ModellingParameters: {
            /**
             * @description The receiver, and the speeds by received power; `fixed-wireless` by default.
             * @enum {string}
             */
            profile?: "fixed-wireless" | "point-to-multipoint";
            /** @description The speeds from a received power on, in place of those of the profile. */
            speeds?: {
                /** @description Received, over the whole channel. */
                dbm: number;
                bandwidth_min_mbps: number;
                bandwidth_max_mbps: number;
                bandwidth_up_min_mbps: number;
                bandwidth_up_max_mbps: number;
            }[];
            /** @description How far from a tower; 30 by default. */
            range_km?: number;
            /** @description Of pixels and profiles; that of the finest terrain by default, at least 30. */
            resolution_m?: number;
            /** @description Above the ground; that of the profile by default. */
            receiver_height_m?: number;
            /** @description That of the profile by default. */
            receiver_gain_dbi?: number;
            /** @description Of the time with at least the modelled signal; 90 by default. */
            time_percent?: number;
            /** @description Of places with at least that signal; 50 by default. */
            location_percent?: number;
            /** @description Of situations with at least that signal; 50 by default. */
            situation_percent?: number;
            /** @description By the numbers of the Irregular Terrain Model; 6, maritime temperate over land, by default. */
            climate?: number;
            /** @description Of the air at sea level, in N-units; 320 by default. */
            refractivity?: number;
        };
        NameStatus: {
            /** @description The meaning of the code. */
            status: string;
            /** @description The code of the whois protocol: 200 Active, 210 PendingRelease (until the end of the release window), 220 Available, 440 Request Denied (a zone itself), 500 Invalid characters, 501 Invalid domain name, 502 not in a managed zone. */
            code: string;
            /** @description The name as the register stores it: lower-case ASCII, in Punycode if the name has other letters. */
            domain: string;
            /** @description The Unicode form, if the name has letters other than ASCII. */
            original?: string;
        };
        NamedCustomer: {
            id: number;
            name: string;
        };
        NamedProvider: {
            id: number;
            name: string;
        };
        Offer: {
            /** @description The network provider. */
            name: string;
            /**
             * @description Whether the provider sells wholesale to retailers (`Yes`), directly to customers (`No`), or both.
             * @enum {string}
             */
            wholesale_network: "Yes" | "No" | "Both";
            /** @description The website of the provider; may be empty. */
            url: string;
            /** @description The lowest expected download speed. */
            bandwidth_min_mbps: number;
            /** @description The highest expected download speed. */
            bandwidth_max_mbps: number;
            /** @description The lowest expected upload speed. */
            bandwidth_up_min_mbps: number;
            /** @description The highest expected upload speed. */
            bandwidth_up_max_mbps: number;
            /** @description An HTTP date at midnight GMT; null if unknown. */
            planned_date: string | null;
            /** @description The source of the entry. Only with `explain=1`. */
            explain?: {
                /** @description The ID of the coverage version. */
                dataset: number;
                /**
                 * Format: date-time
                 * @description When the version was published.
                 */
                published_at: string;
                /** @description The name of the uploaded file. */
                file_name: string;
                /** Format: uuid */
                submission: string;
            } | null;
        };
        Offer1: {
            /** @description The network provider. */
            name: string;
            /**
             * @description Whether the provider sells wholesale to retailers (`Yes`), directly to customers (`No`), or both.
             * @enum {string}
             */
            wholesale_network: "Yes" | "No" | "Both";
            /** @description The website of the provider; may be empty. */
            url: string;
            /** @description The lowest expected download speed. */
            bandwidth_min_mbps: number;
            /** @description The highest expected download speed. */
            bandwidth_max_mbps: number;
            /** @description The lowest expected upload speed. */
            bandwidth_up_min_mbps: number;
            /** @description The highest expected upload speed. */
            bandwidth_up_max_mbps: number;
            /** @description The ID of the published coverage version. */
            timing_id: number;
        };
        OwnInvoiceDetail: {
            number: number;
            /**
             * @description `month`: the month was closed. `plan_start`: a plan started during the month and is billed in advance.
             * @enum {string}
             */
            occasion: "month" | "plan_start";
            month: string;
            recipient: {
                /** @enum {string} */
                kind: "customer" | "operator";
                id: number;
                name: string;
                address: string;
                contact: string;
            };
            /** Format: date */
            issued_on: string;
            /**
             * Format: date
             * @description Null if nothing is due.
             */
            due_on: string | null;
            /** @description Cents, excluding GST. */
            subtotal_cents: number;
            /** @description The GST, in cents. */
            gst_cents: number;
            /** @description Cents, including GST; negative for a credit. */
            total_cents: number;
            /** @description The amount to pay. Cents, including GST. */
            due_cents: number;
            /** @description The credit that the previous invoice carried forward. Cents, including GST. */
            brought_forward_cents: number;
            /** @description The credit left for the next invoice. Cents, including GST. */
            carried_forward_cents: number;
            usage: {
                month: string;
                /** @description The sum of `free`, `bundled` and `overage`. */
                queries: number;
                free: number;
                overage: number;
                /** @description The queries that the plan includes. */
                bundle: number;
                bundled: number;
            } | null;
            gst_percent: number;
            issuer: {
                name: string;
                address: string;
                gst_number: string;
                payment: string;
            };
            lines: {
                position: number;
                /** @enum {string} */
                kind: "adjustment" | "overage" | "plan_fee" | "processing_fee" | "charge" | "waiver" | "credit" | "reversal";
                month: string;
                description: string;
                quantity: number;
                /** @description Cents, excluding GST. */
                unit_price_cents: number;
                /** @description Cents, excluding GST; negative for waivers and credits. */
                amount_cents: number;
                /** @description The figures behind the amount; the fields depend on the kind. */
                source: {
                    [key: string]: unknown;
                };
            }[];
        };
        OwnLedgerEntry: {
            id: number;
            account: {
                /** @enum {string} */
                kind: "customer" | "operator";
                id: number;
                name: string;
            };
            /** @enum {string} */
            kind: "adjustment" | "overage" | "plan_fee" | "processing_fee" | "charge" | "waiver" | "credit" | "reversal";
            month: string;
            description: string;
            quantity: number;
            /** @description Cents, excluding GST. */
            unit_price_cents: number;
            /** @description Cents, excluding GST. */
            amount_cents: number;
            /** Format: date-time */
            booked_at: string;
            /** @description The entry that this one reverses. */
            corrects: number | null;
            /** @description The amount that can still be reversed. Cents, excluding GST. */
            left_cents: number;
            /** @description The number of its invoice. */
            invoice: number | null;
            /**
             * @description `unbilled`: it goes on the next invoice. `settled`: it was reversed before it was invoiced.
             * @enum {string}
             */
            state: "unbilled" | "invoiced" | "settled";
        };
        OwnProcessingFee: {
            id: number;
            provider: components["schemas"]["NamedProvider"];
            /** @enum {string} */
            kind: "first" | "later";
            /** @description Cents, excluding GST. */
            amount_cents: number;
            submission: {
                /** Format: uuid */
                id: string;
                file: string;
                /** Format: date-time */
                received_at: string;
            };
            /** Format: date-time */
            accrued_at: string;
            /** Format: date */
            accrued_on: string;
            /** @enum {string} */
            state: "accrued" | "invoiced" | "paid" | "waived";
            /** Format: date-time */
            changed_at: string | null;
            /** @description The number of the invoice. */
            invoice: number | null;
            /**
             * Format: date
             * @description The date of the invoice.
             */
            invoiced_on: string | null;
        };
        OwnStatement: {
            account: {
                /** @enum {string} */
                kind: "customer" | "operator";
                id: number;
                name: string;
            };
            /** Format: date-time */
            as_of: string;
            /** @description The credit for the next invoice. Cents, including GST. */
            credit_cents: number;
            /** @description Newest first. */
            invoices: components["schemas"]["Invoice"][];
            totals: components["schemas"]["InvoiceTotals"];
            unbilled: {
                /** @description Oldest first. */
                entries: components["schemas"]["OwnLedgerEntry"][];
                /** @description Cents, excluding GST. */
                subtotal_cents: number;
            };
        };
        PathProfile: {
            /** @description Its number in the list, from 1. */
            tower: number;
            name: string | null;
            distance_m: number;
            /** @description Heights of the ground at equal distances, from the tower to the place. */
            ground_m: number[];
            /** @description The height of the antenna above the ground. */
            antenna_m: number;
            receiver_m: number;
            /** @description Of the effective earth, by which paths are drawn straight. */
            curvature_per_m: number;
            /** @description With it, the Fresnel zone has a width. */
            wavelength_m: number;
            /** @description Whether no ground stands in the straight line, over the effective earth. */
            in_sight: boolean;
            /** @description Null where the model cannot say. */
            loss_db: number | null;
            free_space_db: number;
            /** @description The land cover at the place, and what the receiver loses in it; null where none is known. */
            clutter: {
                name: string | null;
                loss_db: number;
            } | null;
            received_dbm: number | null;
        };
        PieceOfWork: {
            kind: components["schemas"]["WorkKind"];
            id: string;
            /** @enum {string} */
            state: "waiting" | "running" | "delayed" | "failed";
            /** @description The provider, or the customer of a file of positions. */
            owner: string | null;
            /** Format: uuid */
            submission: string | null;
            file: string | null;
            /** @description How often it was begun. */
            tries: number;
            /**
             * Format: date-time
             * @description Since when it waits; when it failed.
             */
            since: string;
            /** Format: date-time */
            retry_at: string | null;
            /** @description The process that is at it, as the log of that worker names it at its start. */
            process: string | null;
            error: components["schemas"]["ErrorReport"] | null;
        };
        PixelClass: {
            colour?: string;
            tolerance?: number;
            value?: number;
            min?: number;
            max?: number;
            /** @default true */
            coverage?: boolean;
            /** @default {} */
            speeds?: {
                bandwidth_min_mbps?: number;
                bandwidth_max_mbps?: number;
                bandwidth_up_min_mbps?: number;
                bandwidth_up_max_mbps?: number;
            };
            technology?: string;
            /** @enum {string} */
            availability?: "available" | "underway" | "planned";
            planned_date?: string;
        };
        PixelSummary: components["schemas"]["ValueSummary"] | components["schemas"]["ColourSummary"];
        Plan: {
            name: string;
            label: string;
            /** @description Per month. */
            bundled_queries: number;
            /** @description Per month. Cents, excluding GST. */
            price_cents: number;
            /** @description Whether customers can start this plan. */
            offered: boolean;
        };
        PlanPeriod: {
            name: string;
            label: string;
            /** Format: date */
            begins: string;
            /**
             * Format: date
             * @description The first day after the plan.
             */
            ends: string | null;
        };
        Prediction: {
            file: {
                name: string;
                size_bytes: number;
            };
            /** Format: date-time */
            attached_at: string;
            error: components["schemas"]["ErrorReport"] | null;
        };
        Problem: {
            /** @enum {string} */
            kind: "dropped" | "repaired" | "clipped";
            reason: string;
            text: string;
            count: number;
            /** @description At most ten. */
            examples: components["schemas"]["Example"][];
        };
        ProcessingFee: {
            id: number;
            provider: components["schemas"]["NamedProvider"];
            /** @enum {string} */
            kind: "first" | "later";
            /** @description Cents, excluding GST. */
            amount_cents: number;
            submission: {
                /** Format: uuid */
                id: string;
                file: string;
                /** Format: date-time */
                received_at: string;
            };
            /** Format: date-time */
            accrued_at: string;
            /** Format: date */
            accrued_on: string;
            /** @enum {string} */
            state: "accrued" | "invoiced" | "paid" | "waived";
            /** Format: date-time */
            changed_at: string | null;
            changed_by: string | null;
            /** @description Empty if none was given. */
            reason: string;
            /** @description The number of the invoice. */
            invoice: number | null;
            /**
             * Format: date
             * @description The date of the invoice.
             */
            invoiced_on: string | null;
        };
        Progress: {
            /** @enum {string} */
            step: "predicting" | "reading" | "loading" | "checking";
            bytes_read: number;
            bytes_total: number;
            features_read: number;
            rows_loaded: number;
            /** @description With `predicting`: the sites whose signal is worked out. */
            sites_done?: number;
            sites_total?: number;
            percent: number;
        };
        /** @description The forecast for the month at the current rate; null unless it is the current month. */
        Projection: {
            queries: number;
            free: number;
            overage: number;
            /** @description Cents, excluding GST. */
            overage_cents: number;
            /** @description Cents, excluding GST. */
            plan_fee_cents: number;
            /** @description Cents, excluding GST. */
            total_cents: number;
        };
        Provider: {
            name: string;
            /** @description May be empty. */
            description: string;
            /** @description Regions served. */
            areaServed: string[];
            /** @description Display names, such as `Fibre`. */
            technologies: string[];
            /** @description May be empty. */
            url: string;
        };
        ProviderProfile: {
            id: number;
            name: string;
            /** @description The provider’s website. If empty, nothing more can be published. */
            url: string;
            /**
             * @description Sells wholesale (`Yes`), directly (`No`), or both.
             * @enum {string}
             */
            wholesale_network: "Yes" | "No" | "Both";
            /** @description A short description; may be empty. */
            description: string;
            /** @description Regions served. */
            area_served: string[];
            /** @description Increases with every change. */
            revision: number;
            /**
             * Format: date-time
             * @description If null, manifests still change the profile.
             */
            profile_saved_at: string | null;
        };
        Providers: {
            results: components["schemas"]["Provider"][];
        };
        PublishedCoverage: {
            provider_id: number;
            technology: string;
            /** @description Empty for coverage without a scope. */
            scope: string;
            dataset_id: number;
            /** @description Overlapping areas each count. */
            area_km2: number | null;
            /** Format: date-time */
            published_at: string;
        };
        /** @description Why a submission is not published. If what it would change has changed, includes the current submission. */
        PublishingRefused: {
            code: string;
            message: string;
            hint?: string;
            docs: string;
            submission?: components["schemas"]["Submission"];
        };
        ReferenceSystemChoice: {
            /** @description For `crs` in the manifest, such as `EPSG:2193`. */
            crs: string;
            name: string;
            /** @description Where the file would lie: west, south, east, north, in degrees. Across the 180th meridian, longitudes continue beyond it. */
            bbox: [
                number,
                number,
                number,
                number
            ];
            /** @description Whether the box touches the service area. */
            likely: boolean;
        };
        /** @description The validation report: what was read, repaired and dropped, and why. */
        Report: {
            /** @description The report as sentences. */
            text: string[];
            features: {
                read: number;
                loaded: number;
                /** @description Loaded, after their geometry was repaired. */
                repaired: number;
                /** @description Loaded, without what lies outside the service area. */
                clipped: number;
                /** @description The number of dropped features, by reason. */
                dropped: {
                    [key: string]: number;
                };
            };
            problems: components["schemas"]["Problem"][];
            /** @description The distinct offers and their areas. */
            tiers: components["schemas"]["Tier"][];
            warnings: {
                code: string;
                message: string;
            }[];
            layers: components["schemas"]["ReportedLayer"][];
            /** @description The rows that lookups read: features with many vertices are subdivided. */
            rows: number;
            vertices: number;
            /** @description Overlapping areas are counted once for each feature. */
            area_km2: number;
            /** @description West, south, east, north. */
            bbox: [
                number,
                number,
                number,
                number
            ] | null;
            /** @description The change from what was live when it was last compared; empty until then. A technology that was not live is absent. */
            change: {
                technology: string;
                scope?: string;
                gained_km2: number;
                /** @description The live area of the same scope that would be lost. */
                lost_km2: number;
                unchanged_km2: number;
                /** @description The part of `lost_km2` that another live scope covers with at least the same availability. */
                still_covered_km2: number;
                /** @description The part of `unchanged_km2` that is available now and would no longer be. */
                downgraded_km2: number;
            }[];
            /** @description How long reading and loading took. */
            seconds: number;
        } & {
            [key: string]: unknown;
        };
        ReportedLayer: {
            name: string;
            format: string;
            reference_system: string;
            /** @enum {string} */
            reference_system_from: "file" | "format" | "manifest";
            encoding?: string;
            attributes: string[];
            mapping: components["schemas"]["MappedAttribute"][];
            /** @description The attributes that were not used. */
            unused: string[];
            features: number;
        };
        SavedProfile: {
            /** @description An absolute HTTP or HTTPS URL. */
            url: string;
            /**
             * @description Sells wholesale (`Yes`), directly (`No`), or both.
             * @enum {string}
             */
            wholesale_network: "Yes" | "No" | "Both";
            /** @description A short description; may be empty. */
            description: string;
            /** @description Regions served. */
            area_served: string[];
            /** @description The name of the provider. Only staff can change it. */
            name?: string;
        };
        Session: {
            /** @enum {string} */
            role: "operator" | "staff" | "customer";
            /** @description The name of the token. */
            name: string;
            provider: components["schemas"]["NamedProvider"] | null;
            customer: components["schemas"]["NamedCustomer"] | null;
            /** Format: date-time */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the token behind the session expires.
             */
            token_expires_at: string;
        };
        ShownLimit: {
            per_second: number;
            burst: number;
        };
        Statement: {
            account: {
                /** @enum {string} */
                kind: "customer" | "operator";
                id: number;
                name: string;
            };
            /** Format: date-time */
            as_of: string;
            /** @description The credit for the next invoice. Cents, including GST. */
            credit_cents: number;
            /** @description Newest first. */
            invoices: components["schemas"]["Invoice"][];
            totals: components["schemas"]["InvoiceTotals"];
            unbilled: {
                /** @description Oldest first. */
                entries: components["schemas"]["LedgerEntry"][];
                /** @description Cents, excluding GST. */
                subtotal_cents: number;
            };
        };
        Submission: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["SubmissionStatus"];
            /** @description Increases with every change. */
            revision: number;
            provider: components["schemas"]["NamedProvider"];
            technologies: string[];
            /** @enum {string} */
            kind: "coverage" | "towers";
            /** @enum {string} */
            processed_by: "operator" | "service";
            /** @description The fee that publishing charges. Cents, excluding GST; null if none. */
            processing_fee_cents: number | null;
            /** @enum {string} */
            publish: "auto" | "review";
            file: {
                name: string;
                size_bytes: number;
                sha256: string;
            };
            towers: {
                count: number;
            } | null;
            prediction: components["schemas"]["Prediction"] | null;
            /** @description What the service models of towers; null where only staff do. */
            modelling: components["schemas"]["Modelling"] | null;
            submitted_by: string | null;
            /** @description The operator’s note, on one line. */
            note: string;
            /** Format: date-time */
            received_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            error: components["schemas"]["ErrorReport"] | null;
            /** @description Whether processing is finished until somebody acts. */
            finished: boolean;
            /** @enum {string|null} */
            waiting_for: "prediction" | "publish" | null;
            progress: components["schemas"]["Progress"] | null;
            /** @description To confirm before publication: large losses, warnings. */
            blocking: {
                code: string;
                message: string;
            }[];
            /** @description The ID of the comparison with the live coverage. Send it when publishing, to confirm `blocking`. Null if there is none yet. */
            comparison: string | null;
            /** @description Whether the comparison with the live coverage is running. */
            comparing: boolean;
            /** @description Whether automatic publication waits because of `blocking`. */
            held_back: boolean;
            datasets: components["schemas"]["SubmissionDataset"][];
            can: {
                publish: boolean;
                withdraw: boolean;
                attach_prediction: boolean;
                /** @description Whether this server gives profiles from its towers to a place. */
                profile_paths: boolean;
            };
            manifest?: components["schemas"]["Manifest"];
            /** @description Where lookups would lose coverage, by cells of a tenth of a degree: the largest 500 of each version, the largest first, each with the box around what is lost. */
            lost_areas?: {
                dataset_id: number;
                areas: components["schemas"]["LostArea"][];
            }[];
            report?: components["schemas"]["Report"] | null;
            links: components["schemas"]["Links"];
        };
        SubmissionDataset: {
            id: number;
            technology: string;
            /** @description Empty for coverage without a scope. */
            scope: string;
            state: components["schemas"]["DatasetState"];
            area_km2: number | null;
            can_roll_back: boolean;
            /** @description The live version with the same technology and scope. */
            replaces: number | null;
            /** Format: date-time */
            published_at: string | null;
            /** Format: date-time */
            superseded_at: string | null;
            change: components["schemas"]["Change"] | null;
        };
        /** @enum {string} */
        SubmissionStatus: "received" | "reading" | "loading" | "checking" | "ready" | "published" | "superseded" | "failed" | "withdrawn";
        TechnologyAvailability: {
            /** @description `fibre`, `cable`, `vdsl`, `wireless` or `adsl`; more may be added. */
            technology: string;
            /** @enum {string} */
            availability: "available" | "planned" | "unavailable";
            /** @description Absent if `availability` is `unavailable`. */
            providers?: components["schemas"]["Offer"][];
        };
        TechnologyAvailability1: {
            /** @description `Fibre`, `Cable`, `VDSL`, `Wireless` or `ADSL`; more may be added. */
            technology: string;
            /** @enum {string} */
            availability: "Available" | "Underway" | "Planned" | "Not Available";
            /** @description The earliest planned date, as an HTTP date. */
            completion?: string;
            /** @description The ID of the technology’s tile set. */
            set_id: number;
            /** @description Absent if `availability` is `Not Available`. */
            providers?: components["schemas"]["Offer1"][];
        };
        Terms: {
            /** @description Cents, excluding GST. */
            overage_cents: number;
            gst_percent: number;
            free_queries: number;
            /** @description The day of the month after its issue on which an invoice is due; null if `due_days` applies. */
            due_day: number | null;
            /** @description The days from the issue of an invoice until it is due, where `due_day` is null. */
            due_days: number;
            /** @description An operator’s first coverage that the service models. Cents, excluding GST. */
            first_processing_cents: number;
            /** @description Each later one. Cents, excluding GST. */
            later_processing_cents: number;
        };
        TextMeaning: {
            technology: string | null;
            /**
             * @description `none`: no coverage.
             * @enum {string|null}
             */
            availability: "available" | "underway" | "planned" | "none" | null;
        };
        Tier: {
            technology: string;
            /** @enum {string} */
            availability: "available" | "underway" | "planned";
            bandwidth_min_mbps: number;
            bandwidth_max_mbps: number;
            bandwidth_up_min_mbps: number;
            bandwidth_up_max_mbps: number;
            /** Format: date */
            planned_date: string | null;
            area_km2: number;
            rows: number;
        };
        UploadedFile: {
            /** Format: uuid */
            id: string;
            file: {
                name: string;
                size_bytes: number | null;
                sha256: string | null;
            };
            /** @enum {string} */
            state: "receiving" | "inspecting" | "inspected" | "unreadable" | "submitted";
            received_bytes: number;
            inspection?: components["schemas"]["Inspection"] | null;
            error: components["schemas"]["ErrorReport"] | null;
            answers?: components["schemas"]["Manifest"] | null;
            /** @description The operator’s note, which the submission takes over. */
            note: string;
            /** @description False if the file would fail. An inspection that only timed out does not count. */
            can_submit?: boolean;
            /** @description Whether the file is submitted with these answers after its inspection. */
            submits: boolean;
            /** @description The pixel classes of the provider’s last submissions with values and with colours. */
            earlier_classes?: components["schemas"]["EarlierClasses"][];
            /** Format: uuid */
            submission_id: string | null;
            /**
             * Format: date-time
             * @description When the file expires unless it is submitted.
             */
            expires_at: string | null;
            links: components["schemas"]["Links"];
        };
        ValueSummary: {
            /** @constant */
            kind: "values";
            /** @description The pixels counted; a sample if fewer than `total`. */
            counted: number;
            total: number;
            /** @description The share that is transparent or has no data. */
            empty: number;
            min: number | null;
            max: number | null;
            /** @constant */
            unit: "dBm";
            /** @description Null if there are more than 20. */
            values: {
                value: number;
                share: number;
            }[] | null;
            /** @description Bin i holds values from `from + i * step` up to the next bin. */
            histogram: {
                from: number;
                step: number;
                shares: number[];
            } | null;
            /** @description Outliers that may stand for no data. */
            doubtful: {
                value: number;
                share: number;
            }[];
        };
        Work: {
            /**
             * @description Without the queue, work waits in the database.
             * @enum {string}
             */
            queue: "ok" | "unreachable";
            kinds: components["schemas"]["WorkCount"][];
            /** @description In the order in which it is done, then what failed within a week, newest first; at most 200. */
            work: components["schemas"]["PieceOfWork"][];
        };
        WorkCount: {
            kind: components["schemas"]["WorkKind"];
            waiting: number;
            running: number;
            /** @description Failed for now, or waiting for the storage; it is tried again. */
            delayed: number;
            /** @description For good, within a week. */
            failed: number;
            /**
             * Format: date-time
             * @description Since when the oldest that waits does.
             */
            waiting_since: string | null;
            /** @description Workers that take such jobs from the queue; `null` if the queue cannot say. */
            workers: number | null;
        };
        /**
         * @description `inspect`: read what a draft’s file holds. `read-towers`: read a submission’s towers. `predict`: model coverage from them. `load`: load a submission’s coverage. `compare`: compare it with what is live. `publish`: publish it automatically. `archive`: move a version that is no longer live out of the way. `discard`: remove what was loaded of a withdrawn submission. `draw`: draw a version for the map. `rollback`: restore a version. `bulk-lookup`: look up a file of positions.
         * @enum {string}
         */
        WorkKind: "inspect" | "read-towers" | "predict" | "load" | "compare" | "publish" | "archive" | "discard" | "draw" | "rollback" | "bulk-lookup";
        Zone: {
            /** @description In the order of the answers to `string`. */
            zone: string;
            /** @description The letters that its names may have besides a to z, digits and the hyphen, one after the other. */
            letters: string;
            /** @description True where 220 Available does not say that everybody may register the name: only those whom the zone is for may, after its moderator’s consent. */
            moderated: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Accepted = components['schemas']['Accepted'];
export type AskedCoordinate = components['schemas']['AskedCoordinate'];
export type AttributeQuestion = components['schemas']['AttributeQuestion'];
export type AuditEvent = components['schemas']['AuditEvent'];
export type Availability = components['schemas']['Availability'];
export type Availability1 = components['schemas']['Availability1'];
export type BillingContact = components['schemas']['BillingContact'];
export type BulkAnswer = components['schemas']['BulkAnswer'];
export type BulkJob = components['schemas']['BulkJob'];
export type Catalog = components['schemas']['Catalog'];
export type Change = components['schemas']['Change'];
export type CodedError = components['schemas']['CodedError'];
export type ColourSummary = components['schemas']['ColourSummary'];
export type Customer = components['schemas']['Customer'];
export type CustomerToken = components['schemas']['CustomerToken'];
export type CustomerUsage = components['schemas']['CustomerUsage'];
export type Dataset = components['schemas']['Dataset'];
export type DatasetState = components['schemas']['DatasetState'];
export type DayQueries = components['schemas']['DayQueries'];
export type DroplistEntry = components['schemas']['DroplistEntry'];
export type EarlierClasses = components['schemas']['EarlierClasses'];
export type Error = components['schemas']['Error'];
export type ErrorReport = components['schemas']['ErrorReport'];
export type Example = components['schemas']['Example'];
export type InspectedLayer = components['schemas']['InspectedLayer'];
export type Inspection = components['schemas']['Inspection'];
export type Invoice = components['schemas']['Invoice'];
export type InvoiceDetail = components['schemas']['InvoiceDetail'];
export type InvoiceTotals = components['schemas']['InvoiceTotals'];
export type Key = components['schemas']['Key'];
export type KeyUsage = components['schemas']['KeyUsage'];
export type LedgerEntry = components['schemas']['LedgerEntry'];
export type Links = components['schemas']['Links'];
export type ListedCustomer = components['schemas']['ListedCustomer'];
export type LostArea = components['schemas']['LostArea'];
export type Manifest = components['schemas']['Manifest'];
export type MappedAttribute = components['schemas']['MappedAttribute'];
export type MessageError = components['schemas']['MessageError'];
export type ModelledSpeeds = components['schemas']['ModelledSpeeds'];
export type Modelling = components['schemas']['Modelling'];
export type ModellingParameters = components['schemas']['ModellingParameters'];
export type NameStatus = components['schemas']['NameStatus'];
export type NamedCustomer = components['schemas']['NamedCustomer'];
export type NamedProvider = components['schemas']['NamedProvider'];
export type Offer = components['schemas']['Offer'];
export type Offer1 = components['schemas']['Offer1'];
export type OwnInvoiceDetail = components['schemas']['OwnInvoiceDetail'];
export type OwnLedgerEntry = components['schemas']['OwnLedgerEntry'];
export type OwnProcessingFee = components['schemas']['OwnProcessingFee'];
export type OwnStatement = components['schemas']['OwnStatement'];
export type PathProfile = components['schemas']['PathProfile'];
export type PieceOfWork = components['schemas']['PieceOfWork'];
export type PixelClass = components['schemas']['PixelClass'];
export type PixelSummary = components['schemas']['PixelSummary'];
export type Plan = components['schemas']['Plan'];
export type PlanPeriod = components['schemas']['PlanPeriod'];
export type Prediction = components['schemas']['Prediction'];
export type Problem = components['schemas']['Problem'];
export type ProcessingFee = components['schemas']['ProcessingFee'];
export type Progress = components['schemas']['Progress'];
export type Projection = components['schemas']['Projection'];
export type Provider = components['schemas']['Provider'];
export type ProviderProfile = components['schemas']['ProviderProfile'];
export type Providers = components['schemas']['Providers'];
export type PublishedCoverage = components['schemas']['PublishedCoverage'];
export type PublishingRefused = components['schemas']['PublishingRefused'];
export type ReferenceSystemChoice = components['schemas']['ReferenceSystemChoice'];
export type Report = components['schemas']['Report'];
export type ReportedLayer = components['schemas']['ReportedLayer'];
export type SavedProfile = components['schemas']['SavedProfile'];
export type Session = components['schemas']['Session'];
export type ShownLimit = components['schemas']['ShownLimit'];
export type Statement = components['schemas']['Statement'];
export type Submission = components['schemas']['Submission'];
export type SubmissionDataset = components['schemas']['SubmissionDataset'];
export type SubmissionStatus = components['schemas']['SubmissionStatus'];
export type TechnologyAvailability = components['schemas']['TechnologyAvailability'];
export type TechnologyAvailability1 = components['schemas']['TechnologyAvailability1'];
export type Terms = components['schemas']['Terms'];
export type TextMeaning = components['schemas']['TextMeaning'];
export type Tier = components['schemas']['Tier'];
export type UploadedFile = components['schemas']['UploadedFile'];
export type ValueSummary = components['schemas']['ValueSummary'];
export type Work = components['schemas']['Work'];
export type WorkCount = components['schemas']['WorkCount'];
export type WorkKind = components['schemas']['WorkKind'];
export type Zone = components['schemas']['Zone'];
export type $defs = Record<string, never>;
export interface operations {
    getAvailability: {
        parameters: {
            query?: {
                /** @description `1`: add the source of each provider’s entry, as `explain` */
                explain?: "0" | "1";
                /** @description Answer from the coverage that was live at the end of this day in New Zealand. Available while those versions are kept */
                at?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Latitude, WGS 84, a plain decimal number from -47.5 to -34.2
                 * @example -36.9026834
                 */
                lat: string;
                /**
                 * @description Longitude, WGS 84, a plain decimal number from 166.2 to 178.6
                 * @example 174.8075834
                 */
                lng: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coverage at the position. */
            200: {
                headers: {
                    /** @description The answer can be cached for ten days. */
                    "Cache-Control"?: string;
                    /** @description Send it as `If-None-Match` to get a 304 if nothing has changed. */
                    ETag?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "location": {
                     *         "lat": "-36.9026834",
                     *         "lng": "174.8075834"
                     *       },
                     *       "results": [
                     *         {
                     *           "technology": "fibre",
                     *           "availability": "available",
                     *           "providers": [
                     *             {
                     *               "name": "Kauri Fibre",
                     *               "wholesale_network": "Yes",
                     *               "url": "https://kauri-fibre.example/",
                     *               "bandwidth_min_mbps": 300,
                     *               "bandwidth_max_mbps": 950,
                     *               "bandwidth_up_min_mbps": 100,
                     *               "bandwidth_up_max_mbps": 500,
                     *               "planned_date": null
                     *             }
                     *           ]
                     *         },
                     *         {
                     *           "technology": "cable",
                     *           "availability": "unavailable"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Availability"];
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The coordinates are invalid or outside the service area. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "The given coordinates are not valid."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description `at` is a day of which the coverage is no longer kept, or before there was any. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 410,
                     *       "error": "No coverage had been published by the end of that day. Ask for a later day."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAvailabilityOfMany: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       [
                 *         -36.9026834,
                 *         174.8075834
                 *       ],
                 *       {
                 *         "lat": -41.2865,
                 *         "lng": 174.7762,
                 *         "id": "branch"
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["AskedCoordinate"][];
                /**
                 * @example lat,lng,id
                 *     -36.9026834,174.8075834,head office
                 *     -41.2865,174.7762,branch
                 */
                "text/csv": string;
                /**
                 * @example {"lat": -36.9026834, "lng": 174.8075834, "id": "head office"}
                 *     [-41.2865, 174.7762]
                 */
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The answers, in the format that `Accept` names; newline-delimited JSON by default. */
            200: {
                headers: {
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAnswer"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description The body is not a list of coordinates, or in neither UTF-8 nor UTF-16; or `at` or `explain` is given, which single lookups know. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "There are no coordinates in the body."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description `Accept` allows none of the forms. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 406,
                     *       "error": "Accept must allow application/x-ndjson, application/json or text/csv."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The list has too many coordinates or bytes. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 413,
                     *       "error": "There are more than 10000 coordinates in the body. Send larger files to /api/2.0/availability/jobs."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The format of the body is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 415,
                     *       "error": "Content-Type must be application/json, application/x-ndjson or text/csv."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The customer has exceeded its allowance of coordinates. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Your allowance is 5000 coordinates now, and 10000 in 100 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBulkJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest 100 jobs of the customer, newest first. */
            200: {
                headers: {
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"][];
                };
            };
            /** @description The key is missing or invalid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createBulkJob: {
        parameters: {
            query?: {
                /** @description `1`: quote the cost, and wait until the job is started */
                quote?: "1";
            };
            header?: {
                /**
                 * @description Your name for the request, such as a new UUID
                 * @example 0f6c1f4e-3b5a-4e0c-8a52-6f3d7f6f9c11
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example lat,lng,id
                 *     -36.9026834,174.8075834,head office
                 *     -41.2865,174.7762,branch
                 */
                "text/csv": string;
                /**
                 * @example {"lat": -36.9026834, "lng": 174.8075834, "id": "head office"}
                 *     [-41.2865, 174.7762]
                 */
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The file is stored and queued. */
            202: {
                headers: {
                    /** @description The URL of the job. */
                    Location?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            /** @description The body is empty or incomplete, or in neither UTF-8 nor UTF-16; `quote` is given twice or with brackets; `Idempotency-Key` is too long; or `at` or `explain` is given, which single lookups know. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "There are no coordinates in the body."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid; or the customer has no plan and too few free queries left. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description `Accept` allows none of the forms. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 406,
                     *       "error": "Accept must allow application/x-ndjson, application/json or text/csv."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 413,
                     *       "error": "The body has more than 67108864 bytes."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The format of the body is not supported. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 415,
                     *       "error": "Content-Type must be application/x-ndjson or text/csv: a coordinate a line."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The `Idempotency-Key` is that of another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 422,
                     *       "error": "Another file was sent with this Idempotency-Key, or the same one with other options. Send each file with a key of its own."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key has exceeded its rate limit, or the customer has too many unfinished jobs. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The storage is temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 503,
                     *       "error": "The file storage is unavailable. Nothing was stored. Try again in a few minutes."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The storage is full, or the customer’s files take too much of it. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 507,
                     *       "error": "The service has no space left to store this. Nothing was stored. Try again later; your service administrator must free space first."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBulkJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the job
                 * @example 7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job and its progress. */
            200: {
                headers: {
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            /** @description The key is missing or invalid; or the customer has no plan and too few free queries left. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description The job does not exist or has expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "There is no such file: its id is wrong, or its day is over."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteBulkJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the job
                 * @example 7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is deleted. */
            204: {
                headers: {
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing or invalid; or the customer has no plan and too few free queries left. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description The job does not exist or has expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "There is no such file: its id is wrong, or its day is over."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startBulkJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the job
                 * @example 7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is queued. */
            202: {
                headers: {
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            /** @description The key is missing or invalid; or the customer has no plan and too few free queries left. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description The job does not exist or has expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "There is no such file: its id is wrong, or its day is over."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBulkResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the job
                 * @example 7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers in the order of the file, in the format that `Accept` named when the job was created. */
            200: {
                headers: {
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAnswer"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description The key is missing or invalid; or the customer has no plan and too few free queries left. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description The job does not exist or has expired. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "There is no such file: its id is wrong, or its day is over."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The job is not done. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 409,
                     *       "error": "This file is not done yet."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The storage is temporarily unavailable. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 503,
                     *       "error": "The file storage is unavailable. Nothing was stored. Try again in a few minutes."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The providers. */
            200: {
                headers: {
                    /** @description The answer can be cached for ten days. */
                    "Cache-Control"?: string;
                    /** @description Send it as `If-None-Match` to get a 304 if nothing has changed. */
                    ETag?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "name": "Kauri Fibre",
                     *           "description": "Fibre in the north.",
                     *           "areaServed": [
                     *             "Auckland",
                     *             "Northland"
                     *           ],
                     *           "technologies": [
                     *             "Fibre"
                     *           ],
                     *           "url": "https://kauri-fibre.example/"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Providers"];
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing or invalid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage of all of the customer’s keys. */
            200: {
                headers: {
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyUsage"];
                };
            };
            /** @description The key is missing or invalid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["MessageError"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAvailability1: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Latitude, WGS 84, a plain decimal number from -47.5 to -34.2
                 * @example -36.9026834
                 */
                y: string;
                /**
                 * @description Longitude, WGS 84, a plain decimal number from 166.2 to 178.6
                 * @example 174.8075834
                 */
                x: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coverage at the position. */
            200: {
                headers: {
                    /** @description The answer can be cached for ten days. */
                    "Cache-Control"?: string;
                    /** @description Send it as `If-None-Match` to get a 304 if nothing has changed. */
                    ETag?: string;
                    /** @description The date of deprecation, as in RFC 9745. */
                    Deprecation?: string;
                    /** @description The same lookup in version 2.0. */
                    Link?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Availability1"];
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The coordinates are outside the service area, or are not plain decimal numbers; or `at` or `explain` is given, which only version 2.0 knows. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "The coordinates are outside the service coverage area."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 401,
                     *       "error": "The server could not verify that you are authorised to access this address."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "There were too many requests with this key. Try again after the time in Retry-After."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "The coverage data could not be obtained from the map data service."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getNames: {
        parameters: {
            query?: {
                /**
                 * @description A label, without a zone
                 * @example kauri
                 */
                string?: string;
                /** @description Full names, at most 1000; `domains` and `domains[0]` are the same */
                "domains[]"?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An entry for each zone, or for each name in the order given. */
            200: {
                headers: {
                    /** @description `*`: pages of any origin can read the answer. */
                    "Access-Control-Allow-Origin"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "status": "Active",
                     *         "code": "200",
                     *         "domain": "xn--phutukawa-vxb.nz",
                     *         "original": "pōhutukawa.nz"
                     *       },
                     *       {
                     *         "status": "Available",
                     *         "code": "220",
                     *         "domain": "free.nz"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["NameStatus"][];
                };
            };
            /** @description Neither or both of the parameters are given, `string` is given twice, or there are too many names. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "Give either string or domains[], not both."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The IP address is not registered. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 403,
                     *       "error": "Calls are taken from the registered addresses of registrars only."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 413,
                     *       "error": "The body has more than 1024000 bytes."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is compressed, or is not form-encoded. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 415,
                     *       "error": "Parameters in the body have to be form-encoded (application/x-www-form-urlencoded)."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The registrar has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "You have asked for too many names. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The register could not be read. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "The register could not be read."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDroplist: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last `Last-Modified`: the answer is 304 if nothing has changed since */
                "If-Modified-Since"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names. */
            200: {
                headers: {
                    /** @description When the content last changed. */
                    "Last-Modified"?: string;
                    /** @description A hash of the content. */
                    ETag?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "domain": "blue-duck.net.nz",
                     *         "registered": "2016-11-23 04:42:11+13:00",
                     *         "cancel_date": "2026-08-24 18:06:11+12:00",
                     *         "release_date": "2026-11-22 18:06:11+13:00",
                     *         "drop_date": "2026-11-23 00:00:34+13:00"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DroplistEntry"][];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The IP address is not registered. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 403,
                     *       "error": "Calls are taken from the registered addresses of registrars only."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The registrar has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "You have asked for too many names. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The register could not be read. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "The droplist could not be read."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getZones: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The zones. */
            200: {
                headers: {
                    /** @description `*`: pages of any origin can read the answer. */
                    "Access-Control-Allow-Origin"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "zone": "co.nz",
                     *         "letters": "āēīōū",
                     *         "moderated": false
                     *       },
                     *       {
                     *         "zone": "iwi.nz",
                     *         "letters": "āēīōū",
                     *         "moderated": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Zone"][];
                };
            };
            /** @description The IP address is not registered. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 403,
                     *       "error": "Calls are taken from the registered addresses of registrars only."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The registrar has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate limit: of the `"key"` in requests, of the `"customer"` in positions of lists, or of the `"registrar"` in names, as in `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it, as in `"key";r=18;t=1`. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "You have asked for too many names. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The register could not be read. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "The zones could not be read."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSubmissions: {
        parameters: {
            query?: {
                /** @description Results per page; 50 by default */
                limit?: number;
                /** @description The `next` of the previous page */
                before?: string;
                /**
                 * @description Filter by technology
                 * @example fibre
                 */
                technology?: string;
                /**
                 * @description Filter by status
                 * @example published
                 */
                status?: components["schemas"]["SubmissionStatus"];
                /** @description Filter by the provider’s name; for staff */
                provider?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of submissions, newest first, without `manifest`, `lost_areas` and `report`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        submissions: components["schemas"]["Submission"][];
                        /**
                         * Format: uuid
                         * @description For `before`; null on the last page.
                         */
                        next: string | null;
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    submitFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "@fibre-north.zip",
                 *       "manifest": "{\"technology\": \"fibre\", \"publish\": \"review\"}"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file.
                     */
                    file: string;
                    /** @description The `Manifest` as JSON. Operators may omit `provider`. */
                    manifest: string;
                    /**
                     * @description `true`: process the file even if it was submitted before.
                     * @enum {string}
                     */
                    again?: "true" | "false";
                    /** @description The operator’s note, on one line. */
                    note?: string;
                };
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The ID of an upload.
                     */
                    file_id: string;
                    manifest: components["schemas"]["Manifest"];
                    again?: boolean;
                    /** @description The operator’s note, on one line. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description The earlier submission of the same file and manifest. */
            200: {
                headers: {
                    /** @description The URL of the submission. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description The file is stored and queued for processing. */
            202: {
                headers: {
                    /** @description The URL of the submission. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description `request_invalid`, `manifest_missing`, `file_missing`, `manifest_not_json`, `upload_incomplete`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid" | "manifest_missing" | "file_missing" | "manifest_not_json" | "upload_incomplete";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`, `provider_not_yours`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin" | "provider_not_yours";
                    };
                };
            };
            /** @description `file_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_unknown";
                    };
                };
            };
            /** @description `file_not_complete`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_not_complete";
                    };
                };
            };
            /** @description `file_too_large`, `manifest_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_too_large" | "manifest_too_large";
                    };
                };
            };
            /** @description `content_type_unsupported`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "content_type_unsupported";
                    };
                };
            };
            /** @description `file_not_usable`, `manifest_invalid`, `provider_url_missing`, `technology_unknown`, `planned_date_past`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_not_usable" | "manifest_invalid" | "provider_url_missing" | "technology_unknown" | "planned_date_past";
                    };
                };
            };
            /** @description `too_many_attempts`, `uploads_too_many`, `submissions_too_many`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts" | "uploads_too_many" | "submissions_too_many";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `storage_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_unavailable";
                    };
                };
            };
            /** @description `storage_full`, `storage_quota_exceeded`. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_full" | "storage_quota_exceeded";
                    };
                };
            };
        };
    };
    getSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submission. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getFileOfSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    reprocessSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A new draft with the same file and the answers of the submission. Submit it with these or other answers. */
            201: {
                headers: {
                    /** @description The URL of the file. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedFile"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`, `uploads_too_many`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts" | "uploads_too_many";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `storage_quota_exceeded`. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_quota_exceeded";
                    };
                };
            };
        };
    };
    publishSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "replaces": [
                 *         29
                 *       ],
                 *       "comparison": "mPZ0w6kVQe5uXl0yqE7l2w"
                 *     }
                 */
                "application/json": {
                    /** @description The versions that you expect to replace; `published_meanwhile` if others are live. */
                    replaces?: number[] | null;
                    /** @description The submission’s `comparison`. Required if `blocking` is not empty. */
                    comparison?: string | null;
                };
            };
        };
        responses: {
            /** @description The submission is published. It may already have been. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `submission_not_ready`, `submission_superseded`, `submission_failed`, `submission_withdrawn`, `scopes_too_many`, `published_meanwhile`, `comparison_outdated`, `losses_unconfirmed`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishingRefused"] & {
                        /** @enum {string} */
                        code?: "submission_not_ready" | "submission_superseded" | "submission_failed" | "submission_withdrawn" | "scopes_too_many" | "published_meanwhile" | "comparison_outdated" | "losses_unconfirmed";
                    };
                };
            };
            /** @description `provider_url_missing`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "provider_url_missing";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    withdrawSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submission is withdrawn. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `submission_published`, `submission_superseded`, `submission_failed`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_published" | "submission_superseded" | "submission_failed";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    changeNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "With the new sites in Rolleston"
                 *     }
                 */
                "application/json": {
                    /** @description The operator’s note, on one line. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description The submission. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getTowersOfSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A point feature for each tower; none where the file is coverage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        /** @constant */
                        type: "FeatureCollection";
                        features: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getSignalOfSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A GeoTIFF in dBm, WGS 84; -9999 where there is none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/tiff": string;
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`, `signal_missing`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown" | "signal_missing";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getSignalPictureOfSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A PNG of at most 2,000 pixels on a side. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`, `signal_missing`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown" | "signal_missing";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getPathProfile: {
        parameters: {
            query: {
                /**
                 * @description Its number in the list, from 1
                 * @example 1
                 */
                tower: number;
                /**
                 * @description Latitude of the place, in degrees
                 * @example -41.3
                 */
                lat: number;
                /**
                 * @description Longitude of the place, in degrees
                 * @example 173.2
                 */
                lng: number;
            };
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathProfile"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`, `signal_missing`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown" | "signal_missing";
                    };
                };
            };
            /** @description `profile_unavailable`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "profile_unavailable";
                    };
                };
            };
            /** @description `too_many_attempts`, `profiles_too_many`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts" | "profiles_too_many";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    changeModelledSpeeds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "speeds": [
                 *         {
                 *           "dbm": -80,
                 *           "bandwidth_min_mbps": 10,
                 *           "bandwidth_max_mbps": 50,
                 *           "bandwidth_up_min_mbps": 2,
                 *           "bandwidth_up_max_mbps": 10
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    speeds: components["schemas"]["ModelledSpeeds"];
                };
            };
        };
        responses: {
            /** @description The submission, which waits for a worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `submission_not_modelled`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_not_modelled";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    followSubmission: {
        parameters: {
            query?: {
                /** @description `Last-Event-ID`, for clients that cannot set headers */
                last_event_id?: string;
            };
            header?: {
                /** @description The ID of the last event received */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description There are no more events. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`, `too_many_streams`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts" | "too_many_streams";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getSubmissionTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
                /**
                 * @description The zoom level
                 * @example 8
                 */
                z: number;
                /**
                 * @description The column of the tile
                 * @example 252
                 */
                x: number;
                /**
                 * @description The row of the tile
                 * @example 156
                 */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The tile is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`, `address_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown" | "address_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getChangeTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
                /**
                 * @description The zoom level
                 * @example 8
                 */
                z: number;
                /**
                 * @description The column of the tile
                 * @example 252
                 */
                x: number;
                /**
                 * @description The row of the tile
                 * @example 156
                 */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The tile is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `submission_unknown`, `address_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown" | "address_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getDatasetTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the version
                 * @example 29
                 */
                id: number;
                /**
                 * @description The zoom level
                 * @example 8
                 */
                z: number;
                /**
                 * @description The column of the tile
                 * @example 252
                 */
                x: number;
                /**
                 * @description The row of the tile
                 * @example 156
                 */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The tile is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `dataset_unknown`, `address_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "dataset_unknown" | "address_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getTowerTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The IP address has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The technologies, providers, published coverage and limits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalog"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operator’s own profile, or all of them for staff, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        providers: components["schemas"]["ProviderProfile"][];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the provider
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderProfile"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `provider_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "provider_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    saveProvider: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The `ETag` of the profile that you edited, or `*` to overwrite any
                 * @example "3"
                 */
                "If-Match": string;
            };
            path: {
                /**
                 * @description The ID of the provider
                 * @example 7
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://kauri-fibre.example/",
                 *       "wholesale_network": "Yes",
                 *       "description": "Wholesale fibre in the upper North Island.",
                 *       "area_served": [
                 *         "Northland",
                 *         "Auckland"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SavedProfile"];
            };
        };
        responses: {
            /** @description The saved profile. */
            200: {
                headers: {
                    /** @description The revision, for `If-Match`. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderProfile"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`, `provider_name_fixed`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin" | "provider_name_fixed";
                    };
                };
            };
            /** @description `provider_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "provider_unknown";
                    };
                };
            };
            /** @description `provider_exists`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "provider_exists";
                    };
                };
            };
            /** @description `provider_changed`. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "provider_changed";
                    };
                };
            };
            /** @description `profile_invalid`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "profile_invalid";
                    };
                };
            };
            /** @description `if_match_missing`. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "if_match_missing";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The uploaded files that are not submitted yet, newest first, without `inspection`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: components["schemas"]["UploadedFile"][];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The upload’s ID, from its URL
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedFile"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `file_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The upload’s ID, from its URL
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload is discarded. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `file_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_unknown";
                    };
                };
            };
            /** @description `file_already_submitted`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_already_submitted";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    keepAnswers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The upload’s ID, from its URL
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "manifest": {
                 *         "technology": "fibre"
                 *       }
                 *     }
                 */
                "application/json": {
                    manifest?: components["schemas"]["Manifest"];
                    again?: boolean;
                    /** @description The note of the submission, on one line. */
                    note?: string;
                    /** @description `false` withdraws the answers; `manifest` is not required then. */
                    submit?: boolean;
                };
            };
        };
        responses: {
            /** @description The file with its answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedFile"];
                };
            };
            /** @description `request_invalid`, `manifest_missing`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid" | "manifest_missing";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`, `provider_not_yours`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin" | "provider_not_yours";
                    };
                };
            };
            /** @description `file_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_unknown";
                    };
                };
            };
            /** @description `file_complete`, `file_already_submitted`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_complete" | "file_already_submitted";
                    };
                };
            };
            /** @description `manifest_invalid`, `provider_url_missing`, `technology_unknown`, `planned_date_past`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "manifest_invalid" | "provider_url_missing" | "technology_unknown" | "planned_date_past";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the tus protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description The size of the file in bytes
                 * @example 73110
                 */
                "Upload-Length": string;
                /**
                 * @description `filename`, and optionally `manifest` and `again`, each with its value in Base64
                 * @example filename bm9ydGguemlw
                 */
                "Upload-Metadata"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload is created. */
            201: {
                headers: {
                    /** @description The URL of the upload. */
                    Location?: string;
                    /** @description When an unfinished upload is removed. */
                    "Upload-Expires"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `request_invalid`, `manifest_not_json`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid" | "manifest_not_json";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`, `provider_not_yours`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin" | "provider_not_yours";
                    };
                };
            };
            /** @description `tus_version_unsupported`. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "tus_version_unsupported";
                    };
                };
            };
            /** @description `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_too_large";
                    };
                };
            };
            /** @description `manifest_invalid`, `provider_url_missing`, `technology_unknown`, `planned_date_past`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "manifest_invalid" | "provider_url_missing" | "technology_unknown" | "planned_date_past";
                    };
                };
            };
            /** @description `too_many_attempts`, `uploads_too_many`, `submissions_too_many`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts" | "uploads_too_many" | "submissions_too_many";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `storage_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_unavailable";
                    };
                };
            };
            /** @description `storage_full`, `storage_quota_exceeded`. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_full" | "storage_quota_exceeded";
                    };
                };
            };
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the tus protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                /**
                 * @description The upload’s ID, from its URL
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload is discarded. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `file_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_unknown";
                    };
                };
            };
            /** @description `file_already_submitted`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_already_submitted";
                    };
                };
            };
            /** @description `tus_version_unsupported`. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "tus_version_unsupported";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getUploadOffset: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the tus protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                /**
                 * @description The upload’s ID, from its URL
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The offset is in `Upload-Offset`. */
            200: {
                headers: {
                    /** @description The number of bytes received. */
                    "Upload-Offset"?: string;
                    /** @description The ID of the submission, if the upload had a manifest. */
                    Submission?: string;
                    /** @description When an unfinished upload is removed. */
                    "Upload-Expires"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `file_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    continueUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the tus protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description The offset at which the bytes of the body begin
                 * @example 0
                 */
                "Upload-Offset": string;
            };
            path: {
                /**
                 * @description The upload’s ID, from its URL
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description The bytes are stored. */
            204: {
                headers: {
                    /** @description The number of bytes received. */
                    "Upload-Offset"?: string;
                    /** @description The ID of the submission, if the upload had a manifest. */
                    Submission?: string;
                    /** @description When an unfinished upload is removed. */
                    "Upload-Expires"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `file_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_unknown";
                    };
                };
            };
            /** @description `upload_offset_other`, `file_already_submitted`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "upload_offset_other" | "file_already_submitted";
                    };
                };
            };
            /** @description `tus_version_unsupported`. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "tus_version_unsupported";
                    };
                };
            };
            /** @description `file_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_too_large";
                    };
                };
            };
            /** @description `content_type_unsupported`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "content_type_unsupported";
                    };
                };
            };
            /** @description `upload_busy`. */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "upload_busy";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `storage_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_unavailable";
                    };
                };
            };
            /** @description `storage_full`. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_full";
                    };
                };
            };
        };
    };
    listDatasets: {
        parameters: {
            query?: {
                /**
                 * @description Filter by technology
                 * @example fibre
                 */
                technology?: string;
                /** @description Filter by the provider’s name; for staff */
                provider?: string;
                state?: components["schemas"]["DatasetState"];
                /** @description Results per page; 100 by default */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions, live ones first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        datasets: components["schemas"]["Dataset"][];
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    rollBack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the version
                 * @example 29
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "replaces": 31
                 *     }
                 */
                "application/json": {
                    /** @description The version that you expect to replace; null if you expect nothing to be live. Not checked if absent. */
                    replaces?: number | null;
                };
            };
        };
        responses: {
            /** @description The version is live. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dataset: components["schemas"]["Dataset"];
                        /** @description The version that it replaced. */
                        replaced: number | null;
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `dataset_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "dataset_unknown";
                    };
                };
            };
            /** @description `version_not_kept`, `version_not_superseded`, `published_meanwhile`, `scopes_too_many`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "version_not_kept" | "version_not_superseded" | "published_meanwhile" | "scopes_too_many";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    unpublish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the version
                 * @example 29
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version is offline. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dataset: components["schemas"]["Dataset"];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only" | "not_same_origin";
                    };
                };
            };
            /** @description `dataset_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "dataset_unknown";
                    };
                };
            };
            /** @description `version_not_published`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "version_not_published";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "operator-demo"
                 *     }
                 */
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    /** @description The session. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `token_unknown`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "token_unknown";
                    };
                };
            };
            /** @description `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_same_origin";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No session is left. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_same_origin";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listWork: {
        parameters: {
            query?: {
                /** @description Results per page; 100 by default */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submissions of tower data that await modelling, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        work: components["schemas"]["Submission"][];
                        /** @description How many await modelling in total. */
                        count: number;
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getTowers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A point feature for each tower; none where the file is coverage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        /** @constant */
                        type: "FeatureCollection";
                        features: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    attachPrediction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The modelled coverage.
                     */
                    file: string;
                    /** @description The manifest fields to replace, as JSON. */
                    manifest?: string;
                };
            };
        };
        responses: {
            /** @description The file is stored and queued for processing. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description `request_invalid`, `file_missing`, `manifest_not_json`, `upload_incomplete`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid" | "file_missing" | "manifest_not_json" | "upload_incomplete";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `submission_not_waiting`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_not_waiting";
                    };
                };
            };
            /** @description `file_too_large`, `manifest_too_large`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "file_too_large" | "manifest_too_large";
                    };
                };
            };
            /** @description `content_type_unsupported`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "content_type_unsupported";
                    };
                };
            };
            /** @description `manifest_invalid`, `planned_date_past`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "manifest_invalid" | "planned_date_past";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
            /** @description `storage_unavailable`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_unavailable";
                    };
                };
            };
            /** @description `storage_full`. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "storage_full";
                    };
                };
            };
        };
    };
    modelTowers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "parameters": {
                 *         "range_km": 15,
                 *         "resolution_m": 50
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Those of the manifest, if absent. */
                    parameters?: components["schemas"]["ModellingParameters"];
                };
            };
        };
        responses: {
            /** @description The submission, which waits for a worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `submission_not_waiting`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_not_waiting";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    refuseTowers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission’s ID
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Tower 3 lies in the sea. Please check its position."
                 *     }
                 */
                "application/json": {
                    /** @description Shown to the operator. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The submission, which is now `failed`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Submission"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `submission_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `submission_not_waiting`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "submission_not_waiting";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listTileSets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tile set for each technology, and the pictures of all of them. */
            200: {
                headers: {
                    /** @description `*`: pages of any origin can read the answer. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sets: {
                            set_id: number;
                            technology: string;
                            label: string;
                            tilejson: string;
                        }[];
                        /** @description All technologies in one. */
                        pictures: {
                            name: string;
                            label: string;
                            tilejson: string;
                        }[];
                    };
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The IP address has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTileSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `set_id` of a technology, or a picture of all: `best`, `areas`
                 * @example 1
                 */
                set: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The TileJSON. The URL of the tiles changes with their content. */
            200: {
                headers: {
                    /** @description `*`: pages of any origin can read the answer. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        tilejson: "3.0.0";
                        name: string;
                        /** @constant */
                        scheme: "xyz";
                        tiles: string[];
                        minzoom: number;
                        maxzoom: number;
                        /** @description West, south, east, north. */
                        bounds: number[];
                        vector_layers: {
                            id: string;
                            fields: {
                                [key: string]: string;
                            };
                            minzoom: number;
                            maxzoom: number;
                        }[];
                    };
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no set with this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "There is no such set of tiles."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The IP address has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTile: {
        parameters: {
            query?: {
                /** @description The version from the TileJSON. With it, the answer can be cached forever */
                v?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The `set_id` of a technology, or a picture of all: `best`, `areas`
                 * @example 1
                 */
                set: string;
                /**
                 * @description The zoom level
                 * @example 8
                 */
                z: number;
                /**
                 * @description The column of the tile
                 * @example 252
                 */
                x: number;
                /**
                 * @description The row of the tile
                 * @example 156
                 */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.mapbox-vector-tile": string;
                };
            };
            /** @description The tile is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No tile has this `z`, `x` and `y`; or `v` is given twice. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "There is no such tile. Check the address against the reference at /docs."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no set with this id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "There is no such set of tiles."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The IP address has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tile could not be made in time. */
            503: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 503,
                     *       "error": "The tile could not be made in time. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBasemap: {
        parameters: {
            query?: {
                /** @description The version from the settings. With it, the answer can be cached forever */
                v?: string;
            };
            header: {
                /**
                 * @description At most 4194304 bytes
                 * @example bytes=0-16383
                 */
                Range: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes that `Range` asks for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.pmtiles": string;
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No part is asked for; or `v` is given twice. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "Ask for a part of at most 4194304 bytes, by a Range header such as bytes=0-16383."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such basemap. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "This server has no basemap of streets."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such part. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 416,
                     *       "error": "The archive has no such part, or it is longer than 4194304 bytes."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The IP address has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    lookUpForMap: {
        parameters: {
            query: {
                /**
                 * @description Latitude
                 * @example -36.9026834
                 */
                lat: string;
                /**
                 * @description Longitude
                 * @example 174.8075834
                 */
                lng: string;
            };
            header: {
                /**
                 * @description `lookup_token` of the map’s settings
                 * @example 0
                 */
                "X-Map-Token": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coverage at the position, as in version 2.0, and since when each entry is published. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description As in the request. */
                        location: {
                            lat: string;
                            lng: string;
                        };
                        results: {
                            /** @description `fibre`, `cable`, `vdsl`, `wireless` or `adsl`; more may be added. */
                            technology: string;
                            /** @enum {string} */
                            availability: "available" | "planned" | "unavailable";
                            /** @description Absent if `availability` is `unavailable`. */
                            providers?: {
                                /** @description The network provider. */
                                name: string;
                                /**
                                 * @description Whether the provider sells wholesale to retailers (`Yes`), directly to customers (`No`), or both.
                                 * @enum {string}
                                 */
                                wholesale_network: "Yes" | "No" | "Both";
                                /** @description The website of the provider; may be empty. */
                                url: string;
                                /** @description The lowest expected download speed. */
                                bandwidth_min_mbps: number;
                                /** @description The highest expected download speed. */
                                bandwidth_max_mbps: number;
                                /** @description The lowest expected upload speed. */
                                bandwidth_up_min_mbps: number;
                                /** @description The highest expected upload speed. */
                                bandwidth_up_max_mbps: number;
                                /** @description An HTTP date at midnight GMT; null if unknown. */
                                planned_date: string | null;
                                /** @description The source of the entry. Only with `explain=1`. */
                                explain?: {
                                    /** @description The ID of the coverage version. */
                                    dataset: number;
                                    /**
                                     * Format: date-time
                                     * @description When the version was published.
                                     */
                                    published_at: string;
                                    /** @description The name of the uploaded file. */
                                    file_name: string;
                                    /** Format: uuid */
                                    submission: string;
                                } | null;
                                /**
                                 * Format: date-time
                                 * @description When this coverage went live.
                                 */
                                published_at: string;
                            }[];
                        }[];
                    };
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The coordinates are invalid, given twice or with brackets, or outside the service area. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "The given coordinates are not valid."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request does not come from a page of this server, or its token is not valid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 403,
                     *       "error": "This lookup is for the map of this server. Applications use /api/2.0/ with a key."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The IP address has exceeded its rate limit, or its lookups of a day. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    findNearestForMap: {
        parameters: {
            query: {
                /**
                 * @description Latitude
                 * @example -36.9026834
                 */
                lat: string;
                /**
                 * @description Longitude
                 * @example 174.8075834
                 */
                lng: string;
            };
            header: {
                /**
                 * @description `lookup_token` of the map’s settings
                 * @example 0
                 */
                "X-Map-Token": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The nearest available coverage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Null where there is none far and wide. */
                        nearest: {
                            technology: string;
                            /** @description To the edge of its coverage. */
                            distance_m: number;
                        } | null;
                    };
                };
            };
            /** @description The coordinates are invalid, given twice or with brackets, or outside the service area. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "The given coordinates are not valid."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request does not come from a page of this server, or its token is not valid. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 403,
                     *       "error": "This lookup is for the map of this server. Applications use /api/2.0/ with a key."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The IP address has exceeded its rate limit, or its lookups of a day. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. It may be temporary. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 500,
                     *       "error": "Internal Server Error"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMapSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The technologies, the providers and the service area. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        technologies: {
                            set_id: number;
                            name: string;
                            label: string;
                        }[];
                        /** @description The names of those of whom something is published. */
                        providers: string[];
                        service_area: {
                            south: number;
                            west: number;
                            north: number;
                            east: number;
                        };
                        /** @description Null for the built-in basemap. */
                        basemap_style_url: string | null;
                        /** @description A PMTiles archive of streets; null where the server has none. */
                        basemap_file: {
                            url: string;
                            /** @enum {string} */
                            tile_schema: "protomaps" | "openmaptiles";
                        } | null;
                        /** @description As GET /tiles/best.json and /tiles/areas.json, without asking for them. */
                        pictures: {
                            best: {
                                /** @constant */
                                tilejson: "3.0.0";
                                name: string;
                                /** @constant */
                                scheme: "xyz";
                                tiles: string[];
                                minzoom: number;
                                maxzoom: number;
                                /** @description West, south, east, north. */
                                bounds: number[];
                                vector_layers: {
                                    id: string;
                                    fields: {
                                        [key: string]: string;
                                    };
                                    minzoom: number;
                                    maxzoom: number;
                                }[];
                            };
                            areas: {
                                /** @constant */
                                tilejson: "3.0.0";
                                name: string;
                                /** @constant */
                                scheme: "xyz";
                                tiles: string[];
                                minzoom: number;
                                maxzoom: number;
                                /** @description West, south, east, north. */
                                bounds: number[];
                                vector_layers: {
                                    id: string;
                                    fields: {
                                        [key: string]: string;
                                    };
                                    minzoom: number;
                                    maxzoom: number;
                                }[];
                            };
                        };
                        /** @description For `X-Map-Token`: works for 15 minutes, from the same IP address. */
                        lookup_token: string;
                    };
                };
            };
            /** @description The IP address has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Results per page; 100 by default */
                limit?: number;
                /** @description The `next` of the previous page */
                before?: string;
                /** @description Filter by submission */
                submission?: string;
                /** @description Filter by version */
                dataset?: number;
                /** @description Filter by the provider’s name */
                provider?: string;
                /** @description Filter by customer */
                customer?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["AuditEvent"][];
                        next: string | null;
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getWork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All kinds of work, and each piece of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Work"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listProcessingFees: {
        parameters: {
            query?: {
                /** @description Filter by state */
                state?: "accrued" | "invoiced" | "paid" | "waived";
                /** @description Filter by accrual in this month or later */
                from?: string;
                /** @description Filter by accrual in this month or earlier */
                to?: string;
                /** @description Filter by the provider’s name */
                provider?: string;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matching fees, newest first, and their totals. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fees: components["schemas"]["ProcessingFee"][];
                        totals: {
                            count: number;
                            /** @description Cents, excluding GST. */
                            amount_cents: number;
                            by_state: {
                                accrued: {
                                    count: number;
                                    /** @description Cents, excluding GST. */
                                    amount_cents: number;
                                };
                                invoiced: {
                                    count: number;
                                    /** @description Cents, excluding GST. */
                                    amount_cents: number;
                                };
                                paid: {
                                    count: number;
                                    /** @description Cents, excluding GST. */
                                    amount_cents: number;
                                };
                                waived: {
                                    count: number;
                                    /** @description Cents, excluding GST. */
                                    amount_cents: number;
                                };
                            };
                        };
                    };
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listOwnProcessingFees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fees: components["schemas"]["OwnProcessingFee"][];
                        totals: {
                            count: number;
                            /** @description Cents, excluding GST. */
                            amount_cents: number;
                            by_state: {
                                accrued: {
                                    count: number;
                                    /** @description Cents, excluding GST. */
                                    amount_cents: number;
                                };
                                invoiced: {
                                    count: number;
                                    /** @description Cents, excluding GST. */
                                    amount_cents: number;
                                };
                                paid: {
                                    count: number;
                                    /** @description Cents, excluding GST. */
                                    amount_cents: number;
                                };
                                waived: {
                                    count: number;
                                    /** @description Cents, excluding GST. */
                                    amount_cents: number;
                                };
                            };
                        };
                        terms: {
                            /** @description An operator’s first. Cents, excluding GST. */
                            first_processing_cents: number;
                            /** @description Each later one. Cents, excluding GST. */
                            later_processing_cents: number;
                        };
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `operators_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "operators_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    setStateOfProcessingFee: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the fee
                 * @example 12
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "waived",
                 *       "reason": "The towers were ours"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `invoiced` undoes a payment. `unwaived` undoes a waiver: the fee is accrued or invoiced again.
                     * @enum {string}
                     */
                    state: "paid" | "invoiced" | "waived" | "unwaived";
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The fee. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessingFee"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `fee_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "fee_unknown";
                    };
                };
            };
            /** @description `fee_state`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "fee_state";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    previewClose: {
        parameters: {
            query: {
                /**
                 * @description The month
                 * @example 2026-11
                 */
                month: string;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft invoices. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        month: string;
                        /** @enum {string} */
                        state: "open" | "closable" | "waiting" | "closed";
                        /** @description The months to close first. */
                        before: string[];
                        invoices: {
                            /**
                             * @description `month`: the month was closed. `plan_start`: a plan started during the month and is billed in advance.
                             * @enum {string}
                             */
                            occasion: "month" | "plan_start";
                            month: string;
                            recipient: {
                                /** @enum {string} */
                                kind: "customer" | "operator";
                                id: number;
                                name: string;
                                address: string;
                                contact: string;
                            };
                            /** @description Whether the recipient lacks the address or other identifier that the law requires. */
                            lacks_identifier: boolean;
                            lines: {
                                position: number;
                                /** @enum {string} */
                                kind: "adjustment" | "overage" | "plan_fee" | "processing_fee" | "charge" | "waiver" | "credit" | "reversal";
                                month: string;
                                description: string;
                                quantity: number;
                                /** @description Cents, excluding GST. */
                                unit_price_cents: number;
                                /** @description Cents, excluding GST; negative for waivers and credits. */
                                amount_cents: number;
                                cause: string;
                                /** @description The figures behind the amount; the fields depend on the kind. */
                                source: {
                                    [key: string]: unknown;
                                };
                                entry_id: number | null;
                            }[];
                            usage: {
                                month: string;
                                /** @description The sum of `free`, `bundled` and `overage`. */
                                queries: number;
                                free: number;
                                overage: number;
                                /** @description The queries that the plan includes. */
                                bundle: number;
                                bundled: number;
                            } | null;
                            /** @description Cents, excluding GST. */
                            subtotal_cents: number;
                            /** @description The GST, in cents. */
                            gst_cents: number;
                            /** @description Cents, including GST; negative for a credit. */
                            total_cents: number;
                            /** @description The amount to pay. Cents, including GST. */
                            due_cents: number;
                            /** @description The credit that the previous invoice carried forward. Cents, including GST. */
                            brought_forward_cents: number;
                            /** @description The credit left for the next invoice. Cents, including GST. */
                            carried_forward_cents: number;
                            gst_percent: number;
                        }[];
                        totals: components["schemas"]["InvoiceTotals"];
                    };
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    closeMonth: {
        parameters: {
            query: {
                /**
                 * @description The month
                 * @example 2026-11
                 */
                month: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "total_cents": 14
                 *     }
                 */
                "application/json": {
                    /** @description The total of the preview. If it has changed, the month is not closed. */
                    total_cents?: number;
                };
            };
        };
        responses: {
            /** @description The invoices issued for the month. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invoices: components["schemas"]["Invoice"][];
                        totals: components["schemas"]["InvoiceTotals"];
                        month: string;
                        /** @description False if the month was already closed. */
                        closed: boolean;
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `month_not_over`, `month_not_next`, `preview_outdated`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "month_not_over" | "month_not_next" | "preview_outdated";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Filter by month */
                month?: string;
                /** @description Filter by customer */
                customer?: number;
                /** @description Filter by operator, by the ID of its provider */
                provider?: number;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoices, newest first, and their totals. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invoices: components["schemas"]["Invoice"][];
                        totals: components["schemas"]["InvoiceTotals"];
                    };
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listOwnInvoices: {
        parameters: {
            query?: {
                /** @description Filter by month */
                month?: string;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoices, newest first, and their totals. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invoices: components["schemas"]["Invoice"][];
                        totals: components["schemas"]["InvoiceTotals"];
                    };
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv" | "html";
            };
            header?: never;
            path: {
                /**
                 * @description The number of the invoice
                 * @example 17
                 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice. Its HTML page prints on A4. Also available as CSV and HTML. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceDetail"];
                    "text/csv": string;
                    "text/html": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `invoice_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "invoice_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getOwnInvoice: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv" | "html";
            };
            header?: never;
            path: {
                /**
                 * @description The number of the invoice
                 * @example 17
                 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice. Its HTML page prints on A4. Also available as CSV and HTML. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnInvoiceDetail"];
                    "text/csv": string;
                    "text/html": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only";
                    };
                };
            };
            /** @description `invoice_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "invoice_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: {
                /** @description Filter by customer */
                customer?: number;
                /** @description Filter by operator, by the ID of its provider */
                provider?: number;
                /** @description Filter by month */
                month?: string;
                /** @description The `next` of the previous page */
                before?: string;
                /** @description How many: 100 unless given, 500 at most; as CSV all, 100000 at most */
                limit?: number;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["LedgerEntry"][];
                        next: string | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    reverseEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the entry
                 * @example 311
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "A digit too many"
                 *     }
                 */
                "application/json": {
                    reason: string;
                    /** @description The amount to reverse; the rest of the entry by default. Cents, excluding GST. */
                    amount_cents?: number;
                    /** @description The same amount, repeated. Required from `confirm_from_cents` on. */
                    confirm_amount_cents?: number;
                    /** @description The same request is not posted twice with the same reference. */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description The new ledger entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntry"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `entry_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "entry_unknown";
                    };
                };
            };
            /** @description `entry_not_reversible`, `amount_too_large`, `amount_unconfirmed`, `entry_exists`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "entry_not_reversible" | "amount_too_large" | "amount_unconfirmed" | "entry_exists";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    bookCharge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer": 1,
                 *       "amount_cents": 12000,
                 *       "reason": "Support on Sunday, 8 November",
                 *       "reference": "ticket-31"
                 *     }
                 */
                "application/json": {
                    /** @description The ID of the customer. Give this or `provider`. */
                    customer?: number;
                    provider?: number;
                    /** @description Cents, excluding GST. */
                    amount_cents: number;
                    /** @description The same amount, repeated. Required from `confirm_from_cents` on. */
                    confirm_amount_cents?: number;
                    /** @description Shown on the invoice. */
                    reason: string;
                    /** @description The same request is not posted twice with the same reference. */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description The new ledger entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntry"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`, `provider_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown" | "provider_unknown";
                    };
                };
            };
            /** @description `amount_unconfirmed`, `entry_exists`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "amount_unconfirmed" | "entry_exists";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    bookCredit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer": 1,
                 *       "amount_cents": 500,
                 *       "reason": "Outage on 3 November",
                 *       "reference": "ticket-12"
                 *     }
                 */
                "application/json": {
                    /** @description The ID of the customer. Give this or `provider`. */
                    customer?: number;
                    provider?: number;
                    /** @description Cents, excluding GST. */
                    amount_cents: number;
                    /** @description The same amount, repeated. Required from `confirm_from_cents` on. */
                    confirm_amount_cents?: number;
                    /** @description Shown on the invoice. */
                    reason: string;
                    /** @description The same request is not posted twice with the same reference. */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description The new ledger entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntry"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`, `provider_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown" | "provider_unknown";
                    };
                };
            };
            /** @description `amount_unconfirmed`, `entry_exists`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "amount_unconfirmed" | "entry_exists";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /**
                 * @description The ID of the customer. Give this or `provider`
                 * @example 1
                 */
                customer?: number;
                /** @description The ID of the operator’s provider */
                provider?: number;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credit, invoices and unbilled entries; as CSV, the invoices only. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `customer_unknown`, `provider_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown" | "provider_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getOwnStatement: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credit, invoices and unbilled entries; as CSV, the invoices only. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnStatement"];
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customers, by name. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        customers: components["schemas"]["ListedCustomer"][];
                    };
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Kea Homes",
                 *       "plan": "low",
                 *       "begins": "2026-12-01",
                 *       "contact": {
                 *         "address": "1 Queen Street\nAuckland 1010",
                 *         "contact": "accounts@example.com"
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    plan?: string;
                    /**
                     * Format: date
                     * @description Today by default.
                     */
                    begins?: string;
                    /** @description The billing contact, from this invoice on. */
                    contact?: {
                        /** @default  */
                        address?: string;
                        /** @default  */
                        contact?: string;
                    };
                    /** @description The total of the preview. If it has changed, nothing is done. */
                    total_cents?: number;
                };
            };
        };
        responses: {
            /** @description The customer. */
            201: {
                headers: {
                    /** @description The URL of the customer. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_exists`, `preview_outdated`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_exists" | "preview_outdated";
                    };
                };
            };
            /** @description `plan_unknown`, `plan_date_invalid`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "plan_unknown" | "plan_date_invalid";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    previewPlan: {
        parameters: {
            query: {
                /** @example medium */
                plan: string;
                begins?: string;
                /** @description The ID of the customer; a new one by default */
                customer?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoices. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date
                         * @description The day on which the plan begins; null if there will be none.
                         */
                        begins: string | null;
                        /** @description The total of what is issued at once. Cents, including GST. Send it with the plan: if it has changed, nothing is done. */
                        total_cents: number;
                        /** @description Issued at once, or on the day on which the plan begins. Empty if the fee is on the invoice of the month before. */
                        invoices: {
                            /** Format: date */
                            issued_on: string;
                            /** Format: date */
                            due_on: string | null;
                            month: string;
                            /** @description Whether the law requires an address or other identifier of the recipient. */
                            needs_identifier: boolean;
                            lines: {
                                position: number;
                                /** @enum {string} */
                                kind: "adjustment" | "overage" | "plan_fee" | "processing_fee" | "charge" | "waiver" | "credit" | "reversal";
                                month: string;
                                description: string;
                                quantity: number;
                                /** @description Cents, excluding GST. */
                                unit_price_cents: number;
                                /** @description Cents, excluding GST; negative for waivers and credits. */
                                amount_cents: number;
                                /** @description The figures behind the amount; the fields depend on the kind. */
                                source: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Cents, excluding GST. */
                            subtotal_cents: number;
                            /** @description The GST, in cents. */
                            gst_cents: number;
                            /** @description Cents, including GST; negative for a credit. */
                            total_cents: number;
                            /** @description The amount to pay. Cents, including GST. */
                            due_cents: number;
                            /** @description The credit that the previous invoice carried forward. Cents, including GST. */
                            brought_forward_cents: number;
                            /** @description The credit left for the next invoice. Cents, including GST. */
                            carried_forward_cents: number;
                            gst_percent: number;
                        }[];
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `customer_cancelled`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_cancelled";
                    };
                };
            };
            /** @description `plan_unknown`, `plan_date_invalid`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "plan_unknown" | "plan_date_invalid";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    setPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": "medium",
                 *       "begins": "2027-01-01"
                 *     }
                 */
                "application/json": {
                    /** @description `none` cancels a plan or a change that is yet to begin. */
                    plan: string;
                    /** Format: date */
                    begins?: string;
                    /** @description The billing contact, from this invoice on. */
                    contact?: {
                        /** @default  */
                        address?: string;
                        /** @default  */
                        contact?: string;
                    };
                    /** @description The total of the preview. If it has changed, nothing is done. */
                    total_cents?: number;
                };
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `customer_cancelled`, `no_plan`, `preview_outdated`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_cancelled" | "no_plan" | "preview_outdated";
                    };
                };
            };
            /** @description `plan_unknown`, `plan_date_invalid`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "plan_unknown" | "plan_date_invalid";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    cancelCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "notice_on": "2026-11-20"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date
                     * @description Today by default.
                     */
                    notice_on?: string;
                };
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `customer_cancelled`, `no_plan`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_cancelled" | "no_plan";
                    };
                };
            };
            /** @description `plan_date_invalid`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "plan_date_invalid";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    withdrawCancellation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `customer_not_cancelled`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_not_cancelled";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    allowOverage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "allowed": true
                 *     }
                 */
                "application/json": {
                    allowed: boolean;
                };
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    setContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "1 Queen Street\nAuckland 1010",
                 *       "contact": "accounts@example.com"
                 *     }
                 */
                "application/json": {
                    /** @default  */
                    address?: string;
                    /** @default  */
                    contact?: string;
                };
            };
        };
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listCustomerTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tokens: components["schemas"]["CustomerToken"][];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    createCustomerToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ana",
                 *       "days": 365
                 *     }
                 */
                "application/json": {
                    /** @description Who uses the token. */
                    name: string;
                    /** @description The days until the token expires; 365 by default. */
                    days?: number;
                };
            };
        };
        responses: {
            /** @description The token and its secret, which is shown only once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: components["schemas"]["CustomerToken"];
                        secret: string;
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    revokeCustomerToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
                /**
                 * @description The ID of the token
                 * @example 9
                 */
                token: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerToken"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`, `customer_token_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown" | "customer_token_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getUsageOfAll: {
        parameters: {
            query?: {
                /**
                 * @description The month; the current one by default
                 * @example 2026-11
                 */
                month?: string;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage of the month. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        month: string;
                        closed: boolean;
                        /** Format: date-time */
                        as_of: string;
                        days: components["schemas"]["DayQueries"][];
                        totals: {
                            /** @description The sum of `free`, `bundled` and `overage`. */
                            queries: number;
                            free: number;
                            overage: number;
                            bundled: number;
                            /** @description Cents, excluding GST. */
                            overage_cents: number;
                            /** @description Cents, excluding GST. */
                            plan_fee_cents: number;
                        };
                        /** @description Usage files that were found damaged in this month. Their queries are not billed. */
                        damaged_files: {
                            /** @description The host that has the file. */
                            host: string;
                            /** @description The path of the file. */
                            file: string;
                            reason: string;
                            /** Format: date-time */
                            found_at: string;
                        }[];
                        customers: {
                            customer: components["schemas"]["NamedCustomer"];
                            plan: {
                                name: string;
                                label: string;
                            } | null;
                            /** @description The sum of `free`, `bundled` and `overage`. */
                            queries: number;
                            free: number;
                            overage: number;
                            /** @description The queries that the plan includes. */
                            bundle: number;
                            bundled: number;
                            /** @description Cents, excluding GST. */
                            overage_cents: number;
                            /** @description Cents, excluding GST. */
                            plan_fee_cents: number;
                            projection: components["schemas"]["Projection"] | null;
                        }[];
                    };
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getUsageOfCustomer: {
        parameters: {
            query?: {
                /**
                 * @description The month; the current one by default
                 * @example 2026-11
                 */
                month?: string;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage of the month. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerUsage"];
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getOwnUsage: {
        parameters: {
            query?: {
                /**
                 * @description The month; the current one by default
                 * @example 2026-11
                 */
                month?: string;
                /** @description The format of the answer; overrides `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage of the month. Also available as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerUsage"];
                    "text/csv": string;
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listKeysOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["Key"][];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    createKeyOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "label": "Website"
                 *     }
                 */
                "application/json": {
                    label?: string;
                    /**
                     * @description Makes a key for pages of this origin: it works in `/embed` alone, which they alone may show.
                     * @example https://shop.example
                     */
                    origin?: string;
                };
            };
        };
        responses: {
            /** @description The key and its secret, which is shown only once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["Key"];
                        secret: string;
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown";
                    };
                };
            };
            /** @description `too_many_keys`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_keys";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    rotateKeyOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
                /**
                 * @description The ID of the key
                 * @example 3
                 */
                key: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 72
                 *     }
                 */
                "application/json": {
                    /** @description How long the old key keeps working; 72 by default. */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The new key and its secret, which is shown only once. The old key expires. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["Key"];
                        secret: string;
                        replaced: components["schemas"]["Key"];
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`, `key_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown" | "key_unknown";
                    };
                };
            };
            /** @description `key_not_active`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "key_not_active";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    revokeKeyOfCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the customer
                 * @example 1
                 */
                id: number;
                /**
                 * @description The ID of the key
                 * @example 3
                 */
                key: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only" | "not_same_origin";
                    };
                };
            };
            /** @description `customer_unknown`, `key_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_unknown" | "key_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["Key"][];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "label": "Website"
                 *     }
                 */
                "application/json": {
                    label?: string;
                    /**
                     * @description Makes a key for pages of this origin: it works in `/embed` alone, which they alone may show.
                     * @example https://shop.example
                     */
                    origin?: string;
                };
            };
        };
        responses: {
            /** @description The key and its secret, which is shown only once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["Key"];
                        secret: string;
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only" | "not_same_origin";
                    };
                };
            };
            /** @description `too_many_keys`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_keys";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the key
                 * @example 3
                 */
                key: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 72
                 *     }
                 */
                "application/json": {
                    /** @description How long the old key keeps working; 72 by default. */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The new key and its secret, which is shown only once. The old key expires. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: components["schemas"]["Key"];
                        secret: string;
                        replaced: components["schemas"]["Key"];
                    };
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only" | "not_same_origin";
                    };
                };
            };
            /** @description `key_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "key_unknown";
                    };
                };
            };
            /** @description `key_not_active`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "key_not_active";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The ID of the key
                 * @example 3
                 */
                key: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only" | "not_same_origin";
                    };
                };
            };
            /** @description `key_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "key_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getBilling: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plans, the terms and the months. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date */
                        today: string;
                        month: string;
                        /** @description The first month with a plan, a query or an invoice. */
                        since: string;
                        plans: components["schemas"]["Plan"][];
                        terms: components["schemas"]["Terms"];
                        limit: components["schemas"]["ShownLimit"] | null;
                        /** @description The last closed month; null if there is none. */
                        closed_through: string | null;
                        next_close: {
                            month: string;
                            over: boolean;
                            /** Format: date-time */
                            scheduled_for: string | null;
                        };
                        /** @description Manual entries of at least this amount must be confirmed. Cents, excluding GST. */
                        confirm_from_cents: number;
                        /** @description Whether invoices are tax invoices. */
                        has_gst_number: boolean;
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `staff_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "staff_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer, its plan and the terms. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date */
                        today: string;
                        month: string;
                        /** @description The first month with a plan, a query or an invoice. */
                        since: string;
                        plans: components["schemas"]["Plan"][];
                        terms: components["schemas"]["Terms"];
                        limit: components["schemas"]["ShownLimit"] | null;
                        customer: components["schemas"]["Customer"];
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    setOwnContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "1 Queen Street\nAuckland 1010",
                 *       "contact": "accounts@example.com"
                 *     }
                 */
                "application/json": {
                    /** @default  */
                    address?: string;
                    /** @default  */
                    contact?: string;
                };
            };
        };
        responses: {
            /** @description The saved address and contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingContact"];
                };
            };
            /** @description `request_invalid`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid";
                    };
                };
            };
            /** @description `not_signed_in`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `customers_only`, `not_same_origin`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customers_only" | "not_same_origin";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts";
                    };
                };
            };
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    getDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Not modified since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The IP address has exceeded its rate limit. */
            429: {
                headers: {
                    /** @description The number of seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests come from your address. Try again in 7 s."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        status: string;
                    };
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is ready. Without `queue`, files are processed later. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "parts": {
                     *         "process": "ok",
                     *         "lookups": "ok",
                     *         "queue": "ok"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ready" | "not ready" | "stopping";
                        /** @description Each part: `ok`, or the reason why it is not. */
                        parts: {
                            /** @enum {string} */
                            process: "ok" | "stopping";
                            /**
                             * @description The database that lookups read.
                             * @enum {string}
                             */
                            lookups: "ok" | "unreachable" | "unknown";
                            /**
                             * @description The replica that lookups read. Without it they read the primary.
                             * @enum {string}
                             */
                            replica?: "ok" | "behind" | "unreachable" | "not a replica";
                            /**
                             * @description The job queue on Redis. Without it lookups go on, and files are processed later.
                             * @enum {string}
                             */
                            queue?: "ok" | "unreachable";
                        };
                    };
                };
            };
            /** @description The service is not ready; `parts` has the reason. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "not ready",
                     *       "parts": {
                     *         "process": "ok",
                     *         "lookups": "unreachable"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ready" | "not ready" | "stopping";
                        /** @description Each part: `ok`, or the reason why it is not. */
                        parts: {
                            /** @enum {string} */
                            process: "ok" | "stopping";
                            /**
                             * @description The database that lookups read.
                             * @enum {string}
                             */
                            lookups: "ok" | "unreachable" | "unknown";
                            /**
                             * @description The replica that lookups read. Without it they read the primary.
                             * @enum {string}
                             */
                            replica?: "ok" | "behind" | "unreachable" | "not a replica";
                            /**
                             * @description The job queue on Redis. Without it lookups go on, and files are processed later.
                             * @enum {string}
                             */
                            queue?: "ok" | "unreachable";
                        };
                    };
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics of this process. A database that is away is said by `covermap_database_up 0`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The caller is neither of this machine nor of a listed network. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 403,
                     *       "error": "Metrics are shown to this machine and to listed networks only."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
