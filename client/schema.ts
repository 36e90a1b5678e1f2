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
         * What broadband is at a position
         * @description Every technology is listed once, the fastest first; those that nobody offers there come last, without `providers`. Of a technology, the providers are listed that offer it as `availability` says, the fastest first.
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
         * @description Answers come in the order of the list, as they are found. The answer to an invalid position is an error, in its place. Each that is answered is one query. All keys of a customer together have an allowance of coordinates of its own.
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
        get?: never;
        put?: never;
        /**
         * Submit a large file of positions, to be looked up in the background
         * @description The result is kept for a day. Each position that is answered is one query; `cost` is the most that they cost. With `quote=1` only the cost is quoted, and the file is looked up once it is started.
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
        /** The progress of a file */
        get: operations["getBulkJob"];
        put?: never;
        post?: never;
        /** Delete a file and its result */
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
        /** Start a file whose cost was quoted */
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
        /** The answers to a file, in its order */
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
         * Who supplies coverage
         * @description Those with published coverage, by name. Not counted as a query.
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
         * How much of this month’s bundle is used
         * @description Not counted as a query. What was answered within the last second may be missing. Money is in cents, without GST.
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
         * What broadband is at a position, version 1.0
         * @deprecated
         * @description Deprecated since 1 February 2022: every answer says so in `Deprecation`, and names its successor in `Link`.
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
         * The status of domain names
         * @description Either `string`, which is looked up in every zone, or `domains[]`: full names, each answered in its place. The parameters may also be form-encoded in the body of the GET. A name that is wrong gets its entry with a code of its own; the answer is a 200 all the same. Each entry of the answer takes one from the registrar’s rate. Answered to the registered addresses of registrars only.
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
         * Names that are about to be released
         * @description Those whose `release_date` is at most two days ahead, or past and not yet released; by `drop_date`, then by name. What a daily run has released stays until the end of its window, 00:00:34. Answered to the registered addresses of registrars only.
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
    "/api/operator/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Submissions, newest first */
        get: operations["listSubmissions"];
        put?: never;
        /**
         * Submit a file
         * @description As a form with the file and its manifest, or as JSON with a file that was uploaded before. When this answers, the file is stored; it is processed soon.
         */
        post: operations["handIn"];
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
        /** A submission with its manifest and report */
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
        /** The original file */
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
        /** Reprocess its file with other answers */
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
        /** Publish it: lookups answer from it */
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
        /** Withdraw it before it is published */
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
        /** Change the operator’s note */
        put: operations["changeNote"];
        post?: never;
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
         * @description Server-sent events. Each `submission` is the whole state, with its revision as the id; `end` is the last. The stream ends, without `end`, when its token or session ends. A token has at most ten streams at once.
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
        /** What a submission covers, as vector tiles */
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
        /** What it would change, as vector tiles */
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
        /** What a version covers, as vector tiles */
        get: operations["getDatasetTile"];
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
        /** What forms need: technologies, providers, limits */
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
        /** What answers say of providers: an operator’s own, for staff all */
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
        /** What answers say of a provider */
        get: operations["getProvider"];
        /**
         * Save a provider’s profile
         * @description Every answer shows it from then on, and manifests no longer change it. Only staff rename a provider.
         */
        put: operations["saveProvider"];
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
        /** Fees for coverage that the service modelled: an operator’s own, for staff all */
        get: operations["listOwnProcessingFees"];
        put?: never;
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
        /** Uploaded files that are not submitted yet */
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
        /** An uploaded file, and what was found in it */
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
         * Describe a file while it is still uploading
         * @description It is submitted with this manifest once the upload is complete and the file is inspected. Where the file raises a question that the manifest leaves open, it becomes a draft instead: `submits` is false then. `submit: false` withdraws the answers until the file is submitted: they stay as a draft.
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
         * Begin a resumable upload (tus 1.0)
         * @description Any client of [tus 1.0](https://tus.io/protocols/resumable-upload) does all of this. With a `manifest` in the metadata the file is submitted when its last byte arrives; without, it becomes a draft.
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
        /** How much of an upload has arrived */
        head: operations["getUploadOffset"];
        /** Send the next bytes */
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
        /** Versions of coverage, newest first */
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
         * @description Nothing replaces it: lookups answer from the provider’s other scopes. Rolling back to it publishes it again.
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
        /** Who is signed in */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in with a token
         * @description For browsers: the session is a cookie that no script can read, and lasts 12 hours, at most as long as the token.
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
        /** Submissions of towers that await modelling, oldest first */
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
        /** The towers of a submission */
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
        /** Upload the coverage that was modelled from the towers */
        post: operations["attachPrediction"];
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
        /** Refuse towers from which no coverage can be modelled */
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
        /** The sets of tiles, one for each technology */
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
        /** One set of tiles, as TileJSON 3.0 */
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
         * Published coverage of a technology, as a vector tile
         * @description One layer, `coverage`, of polygons with `technology`, `availability`, `provider`, `bandwidth_max_mbps`, `bandwidth_up_max_mbps`.
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
    "/api/map/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The lookup of the public map
         * @description For pages of this server only, limited by address, and not counted. Applications use version 2.0 with a key.
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
    "/api/map/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the public map has to know before it draws */
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
        /** Who did what, when, from where; newest first */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
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
        /** Plans, terms, and the next month to close */
        get: operations["getBilling"];
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
        /** Fees for coverage that the service modelled, newest first */
        get: operations["listProcessingFees"];
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
        /** Mark a fee as paid or unpaid, waive it, or undo the waiver */
        post: operations["setStateOfProcessingFee"];
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
        /** Usage of a month, by customer and by day */
        get: operations["getUsageOfAll"];
        put?: never;
        post?: never;
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
        /** Preview the invoices of a month; nothing is changed */
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
         * @description Closing one that is closed changes nothing.
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
        /** Invoices, newest first */
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
        /** Invoices, newest first */
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
        /** An invoice, each line with its ledger entry */
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
        /** An invoice */
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
        /** Entries, newest first */
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
        /** Reverse an entry, or a part of it */
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
        /** Charge a customer or an operator, on their next invoice */
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
        /** Credit a customer or an operator, on their next invoice */
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
        /** The credit, invoices and unbilled entries of an account */
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
        /** Credit, invoices and unbilled entries */
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
        /** Customers, by name */
        get: operations["listCustomers"];
        put?: never;
        /** Create a customer, with a plan from a day on if it names one */
        post: operations["createCustomer"];
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
        /** A customer with plans, keys and tokens */
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
        /** Start a plan, or change it from the first of a month to come */
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
        /** Give notice: the plan ends with the month after */
        post: operations["cancelCustomer"];
        /** Withdraw the notice, before it takes effect */
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
        /** Whether a customer without a plan is answered, and charged, after the free queries */
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
        /** The address and contact on invoices, from the next one on */
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
        /** The tokens with which a customer signs in to its account */
        get: operations["listCustomerTokens"];
        put?: never;
        /** Create a token */
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
        /** Revoke a token, and end the sessions begun with it */
        post: operations["revokeCustomerToken"];
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
        /** A customer’s usage of a month, by day and key */
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
        /** Usage of a month, by day and key */
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
        /** Keys, newest first */
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
        /** Rotate a key; the old one works for a while */
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
        /** Revoke a key at once */
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
        /** Keys, newest first */
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
        /** Rotate a key; the old one works for a while */
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
        /** Revoke a key at once */
        post: operations["revokeKey"];
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
        /** A customer’s own account */
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
        /** The address and contact on invoices, from the next one on */
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
        /** This description, OpenAPI 3.1 */
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
        /** Whether the process lives */
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
        /** Whether lookups can be answered */
        get: operations["getReadiness"];
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
        NamedProvider: {
            id: number;
            name: string;
        };
        NamedCustomer: {
            id: number;
            name: string;
        };
        Plan: {
            name: string;
            label: string;
            /** @description A month. */
            bundled_queries: number;
            /** @description A month, cents without GST. */
            price_cents: number;
            /** @description Whether customers can start it. */
            offered: boolean;
        };
        ShownLimit: {
            per_second: number;
            burst: number;
        };
        ProcessingFee: {
            id: number;
            provider: components["schemas"]["NamedProvider"];
            /** @enum {string} */
            kind: "first" | "later";
            /** @description Cents without GST. */
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
            /** @description Empty where none was given. */
            reason: string;
            /** @description Its number. */
            invoice: number | null;
            /**
             * Format: date
             * @description When that was issued.
             */
            invoiced_on: string | null;
        };
        DayQueries: {
            /** Format: date */
            date: string;
            queries: number;
        };
        /** @description The forecast for the month at the present rate; null unless the month is under way. */
        Projection: {
            queries: number;
            free: number;
            overage: number;
            /** @description Cents without GST. */
            overage_cents: number;
            /** @description Cents without GST. */
            plan_fee_cents: number;
            /** @description Cents without GST. */
            total_cents: number;
        };
        CustomerUsage: {
            customer: components["schemas"]["NamedCustomer"];
            month: string;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            closed: boolean;
            /** Format: date-time */
            as_of: string;
            plan: {
                name: string;
                label: string;
                bundled_queries: number;
                /** @description Cents without GST. */
                price_cents: number;
                /** @description The days of the month with this plan. */
                days: number;
                days_in_month: number;
            } | null;
            /** @description Free, bundled and overage together. */
            queries: number;
            free: number;
            bundled: number;
            overage: number;
            /** @description Cents without GST. */
            overage_cents: number;
            /** @description Cents without GST. */
            plan_fee_cents: number;
            /** @description What the plan includes. */
            bundle: number;
            free_left: number;
            /** @description Whether queries past the free allowance are answered now. */
            overage_allowed: boolean;
            projection: components["schemas"]["Projection"] | null;
            days: components["schemas"]["DayQueries"][];
            keys: {
                id: number;
                label: string;
                hint: string;
                queries: number;
            }[];
            limit: components["schemas"]["ShownLimit"] | null;
            /** @description The number of the month’s invoice, once the month is closed. */
            invoice: number | null;
        };
        BillingContact: {
            /** @description As printed on invoices; empty where it is not known. */
            address: string;
            /** @description A mail address, a telephone number, an NZBN or a website; may be empty. */
            contact: string;
        };
        Invoice: {
            number: number;
            /**
             * @description `month`: the month was closed. `plan_start`: a plan started in the month, which is billed in advance.
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
             * @description Null where nothing is due.
             */
            due_on: string | null;
            /** @description Cents without GST. */
            subtotal_cents: number;
            /** @description The tax. */
            gst_cents: number;
            /** @description Cents with GST; below zero it is a credit. */
            total_cents: number;
            /** @description What is to be paid, cents with GST. */
            due_cents: number;
            /** @description The credit that the invoice before carried forward, with GST. */
            brought_forward_cents: number;
            /** @description The credit left for the next invoice, with GST. */
            carried_forward_cents: number;
        };
        InvoiceTotals: {
            count: number;
            /** @description Cents without GST. */
            subtotal_cents: number;
            /** @description The tax. */
            gst_cents: number;
            /** @description Cents with GST; below zero it is a credit. */
            total_cents: number;
            /** @description What is to be paid, cents with GST. */
            due_cents: number;
        };
        OwnInvoiceDetail: {
            number: number;
            /**
             * @description `month`: the month was closed. `plan_start`: a plan started in the month, which is billed in advance.
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
             * @description Null where nothing is due.
             */
            due_on: string | null;
            /** @description Cents without GST. */
            subtotal_cents: number;
            /** @description The tax. */
            gst_cents: number;
            /** @description Cents with GST; below zero it is a credit. */
            total_cents: number;
            /** @description What is to be paid, cents with GST. */
            due_cents: number;
            /** @description The credit that the invoice before carried forward, with GST. */
            brought_forward_cents: number;
            /** @description The credit left for the next invoice, with GST. */
            carried_forward_cents: number;
            usage: {
                month: string;
                queries: number;
                free: number;
                bundle: number;
                bundled: number;
                overage: number;
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
                kind: "plan_fee" | "overage" | "adjustment" | "processing_fee" | "waiver" | "credit" | "charge" | "reversal";
                month: string;
                description: string;
                quantity: number;
                /** @description Cents without GST. */
                unit_price_cents: number;
                /** @description Cents without GST; waivers and credits are negative. */
                amount_cents: number;
                /** @description The figures that it was calculated from. */
                source: {
                    [key: string]: unknown;
                };
            }[];
        };
        InvoiceDetail: {
            number: number;
            /**
             * @description `month`: the month was closed. `plan_start`: a plan started in the month, which is billed in advance.
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
             * @description Null where nothing is due.
             */
            due_on: string | null;
            /** @description Cents without GST. */
            subtotal_cents: number;
            /** @description The tax. */
            gst_cents: number;
            /** @description Cents with GST; below zero it is a credit. */
            total_cents: number;
            /** @description What is to be paid, cents with GST. */
            due_cents: number;
            /** @description The credit that the invoice before carried forward, with GST. */
            brought_forward_cents: number;
            /** @description The credit left for the next invoice, with GST. */
            carried_forward_cents: number;
            usage: {
                month: string;
                queries: number;
                free: number;
                bundle: number;
                bundled: number;
                overage: number;
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
                kind: "plan_fee" | "overage" | "adjustment" | "processing_fee" | "waiver" | "credit" | "charge" | "reversal";
                month: string;
                description: string;
                quantity: number;
                /** @description Cents without GST. */
                unit_price_cents: number;
                /** @description Cents without GST; waivers and credits are negative. */
                amount_cents: number;
                entry: {
                    id: number;
                    cause: string;
                    /** Format: date-time */
                    booked_at: string;
                    booked_by: string;
                    /** @description The figures that it was calculated from. */
                    source: {
                        [key: string]: unknown;
                    };
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
            kind: "plan_fee" | "overage" | "adjustment" | "processing_fee" | "waiver" | "credit" | "charge" | "reversal";
            month: string;
            description: string;
            quantity: number;
            /** @description Cents without GST. */
            unit_price_cents: number;
            /** @description Cents without GST. */
            amount_cents: number;
            /** Format: date-time */
            booked_at: string;
            /** @description The entry that it corrects. */
            corrects: number | null;
            /** @description What of it can still be reversed. */
            left_cents: number;
            /** @description The number of its invoice. */
            invoice: number | null;
            /**
             * @description `unbilled`: it will be on the next invoice. `settled`: it was reversed before, and is on no invoice.
             * @enum {string}
             */
            state: "unbilled" | "invoiced" | "settled";
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
            kind: "plan_fee" | "overage" | "adjustment" | "processing_fee" | "waiver" | "credit" | "charge" | "reversal";
            month: string;
            description: string;
            quantity: number;
            /** @description Cents without GST. */
            unit_price_cents: number;
            /** @description Cents without GST. */
            amount_cents: number;
            /** Format: date-time */
            booked_at: string;
            /** @description The entry that it corrects. */
            corrects: number | null;
            /** @description What of it can still be reversed. */
            left_cents: number;
            /** @description The number of its invoice. */
            invoice: number | null;
            /**
             * @description `unbilled`: it will be on the next invoice. `settled`: it was reversed before, and is on no invoice.
             * @enum {string}
             */
            state: "unbilled" | "invoiced" | "settled";
            cause: string;
            source: {
                [key: string]: unknown;
            };
            booked_by: string;
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
            /** @description The credit that the next invoice uses up. Cents with GST. */
            credit_cents: number;
            /** @description Newest first. */
            invoices: components["schemas"]["Invoice"][];
            unbilled: {
                /** @description Oldest first. */
                entries: components["schemas"]["LedgerEntry"][];
                /** @description Cents without GST. */
                subtotal_cents: number;
            };
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
            /** @description The credit that the next invoice uses up. Cents with GST. */
            credit_cents: number;
            /** @description Newest first. */
            invoices: components["schemas"]["Invoice"][];
            unbilled: {
                /** @description Oldest first. */
                entries: components["schemas"]["OwnLedgerEntry"][];
                /** @description Cents without GST. */
                subtotal_cents: number;
            };
        };
        Key: {
            id: number;
            label: string;
            /** @description Its prefix. */
            hint: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            state: "active" | "expiring" | "expired" | "revoked";
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            replaced_by: number | null;
            /**
             * Format: date-time
             * @description When the newest hour with a billable query began, or when the key was created in that hour.
             */
            last_used: string | null;
        };
        CustomerToken: {
            id: number;
            name: string;
            /** @description Its prefix. */
            hint: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * @description `expiring`: it expires within 30 days.
             * @enum {string}
             */
            state: "active" | "expiring" | "expired" | "revoked";
        };
        PlanPeriod: {
            name: string;
            label: string;
            /** Format: date */
            begins: string;
            /**
             * Format: date
             * @description The first day without it.
             */
            ends: string | null;
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
             * @description The first day without plan and keys.
             */
            ends_on: string | null;
            free_queries: number;
            free_left: number;
            /** @description Whether queries past the free allowance are answered, and charged. */
            overage_allowed: boolean;
            month: {
                month: string;
                queries: number;
                bundle: number;
            };
            active_keys: number;
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
             * @description The first day without plan and keys.
             */
            ends_on: string | null;
            free_queries: number;
            free_left: number;
            /** @description Whether queries past the free allowance are answered, and charged. */
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
        Offer: {
            /** @description Network provider. */
            name: string;
            /**
             * @description Whether it sells to retailers: only, not, or both.
             * @enum {string}
             */
            wholesale_network: "Yes" | "No" | "Both";
            /** @description Website of the provider; may be empty. */
            url: string;
            /** @description Lowest expected download speed. */
            bandwidth_min_mbps: number;
            /** @description Highest expected download speed. */
            bandwidth_max_mbps: number;
            /** @description Lowest expected upload speed. */
            bandwidth_up_min_mbps: number;
            /** @description Highest expected upload speed. */
            bandwidth_up_max_mbps: number;
            /** @description As an HTTP date at midnight GMT; null where not known. */
            planned_date: string | null;
            /** @description Where the entry comes from; with `explain=1` only. */
            explain?: {
                /** @description The version of the provider’s coverage. */
                dataset: number;
                /**
                 * Format: date-time
                 * @description When that version was published.
                 */
                published_at: string;
                /** @description The name of the uploaded file. */
                file_name: string;
                /** Format: uuid */
                submission: string;
            } | null;
        };
        TechnologyAvailability: {
            /** @description fibre, cable, vdsl, wireless, adsl; more may be added. */
            technology: string;
            /** @enum {string} */
            availability: "available" | "planned" | "unavailable";
            /** @description Absent where `availability` is `unavailable`. */
            providers?: components["schemas"]["Offer"][];
        };
        Availability: {
            /** @description As in the request. */
            location: {
                lat: string;
                lng: string;
            };
            /** @description By fastest download, descending. */
            results: components["schemas"]["TechnologyAvailability"][];
        };
        Offer1: {
            /** @description Network provider. */
            name: string;
            /**
             * @description Whether it sells to retailers: only, not, or both.
             * @enum {string}
             */
            wholesale_network: "Yes" | "No" | "Both";
            /** @description Website of the provider; may be empty. */
            url: string;
            /** @description Lowest expected download speed. */
            bandwidth_min_mbps: number;
            /** @description Highest expected download speed. */
            bandwidth_max_mbps: number;
            /** @description Lowest expected upload speed. */
            bandwidth_up_min_mbps: number;
            /** @description Highest expected upload speed. */
            bandwidth_up_max_mbps: number;
            /** @description The published dataset that the entry is from. */
            timing_id: number;
        };
        TechnologyAvailability1: {
            /** @description Fibre, Cable, VDSL, Wireless, ADSL; more may be added. */
            technology: string;
            /** @enum {string} */
            availability: "Available" | "Underway" | "Planned" | "Not Available";
            /** @description The earliest known date of it, as an HTTP date. */
            completion?: string;
            /** @description The set of map tiles of this technology. */
            set_id: number;
            /** @description Absent where `availability` is `Not Available`. */
            providers?: components["schemas"]["Offer1"][];
        };
        Availability1: {
            /** @description As in the request: longitude, then latitude. */
            location: [
                string,
                string
            ];
            /** @description By fastest download, descending. */
            results: components["schemas"]["TechnologyAvailability1"][];
        };
        Provider: {
            name: string;
            /** @description May be empty. */
            description: string;
            /** @description Regions. */
            areaServed: string[];
            /** @description Names for people: Fibre, Wireless. */
            technologies: string[];
            /** @description May be empty. */
            url: string;
        };
        Providers: {
            results: components["schemas"]["Provider"][];
        };
        KeyUsage: {
            month: string;
            /** Format: date-time */
            begins_at: string;
            /** Format: date-time */
            ends_at: string;
            /** Format: date-time */
            as_of: string;
            plan: string | null;
            queries: number;
            /** @description Of these, with the requesting key. */
            key_queries: number;
            /** @description Queries included in the plan. */
            bundle: number;
            bundle_left: number;
            free: number;
            free_left: number;
            /** @description Whether queries beyond the free ones are answered now. */
            overage_allowed: boolean;
            overage: number;
            /** @description Cents without GST. */
            overage_cents: number;
            limit: components["schemas"]["ShownLimit"] | null;
        };
        Error: {
            /** @description The HTTP status again. */
            code: number;
            error: string;
        };
        MessageError: {
            message: string;
        };
        /** @description Addresses of what follows. */
        Links: {
            [key: string]: string;
        };
        Manifest: {
            /** @description A name alone changes nothing of the provider. */
            provider?: string | {
                name: string;
                url?: "" | string;
                /** @enum {string} */
                wholesale_network?: "Yes" | "No" | "Both";
                description?: string;
                area_served?: string[];
            };
            /** @description Of every area whose attributes name none; required unless an attribute is named for it. */
            technology?: string;
            /**
             * @description The part of the provider’s coverage with a technology that this file holds: a region, "planned", a product. Publishing it replaces only what is published of the same scope, ignoring case. Empty: the coverage that has no scope.
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
             * @description Speeds, in Mbps, of every area whose attributes name none.
             * @default {}
             */
            speeds?: {
                bandwidth_min_mbps?: number;
                bandwidth_max_mbps?: number;
                bandwidth_up_min_mbps?: number;
                bandwidth_up_max_mbps?: number;
            };
            /**
             * @description Which field of the file holds which speed, and so on.
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
                        [key: string]: string;
                    };
                };
                availability?: null | string | {
                    field: string;
                    values?: {
                        [key: string]: "available" | "underway" | "planned";
                    };
                };
                planned_date?: null | string | {
                    field: string;
                };
            };
            /** @description A category field whose values stand for speeds, such as the folder or the style of a KML. */
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
            /** @description The classes of pixels of a raster. */
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
             * @description Whether the corners of pixels are cut off.
             * @default false
             */
            smoothing?: boolean;
            /** @description Areas of a raster with fewer pixels than this take the class around them. */
            sieve?: number;
            /** @description The layers to read; absent: all that hold areas. */
            layers?: string[];
            /** @description The reference system, where the file names none: `EPSG:2193`, or a definition in WKT. */
            crs?: string;
            /**
             * @description Whether to publish it automatically after validation, or to review it first.
             * @default review
             * @enum {string}
             */
            publish?: "auto" | "review";
            /**
             * @description Who modelled the coverage. `service` in an operator's manifest: the file holds towers to model it from.
             * @default operator
             * @enum {string}
             */
            processed_by?: "operator" | "service";
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
        ReferenceSystemChoice: {
            /** @description As the manifest takes it: EPSG:2193 */
            crs: string;
            name: string;
            /** @description West, south, east, north of where the file would lie, in degrees. */
            bbox: [
                number,
                number,
                number,
                number
            ];
            /** @description Whether some of that is in the service area. */
            likely: boolean;
        };
        ErrorReport: {
            code: string;
            message: string;
            hint?: string;
            /** @description Of `reference_system_missing`. */
            choices?: components["schemas"]["ReferenceSystemChoice"][];
        };
        /** @enum {string} */
        SubmissionStatus: "received" | "reading" | "loading" | "checking" | "ready" | "published" | "superseded" | "failed" | "withdrawn";
        /** @enum {string} */
        DatasetState: "ready" | "published" | "superseded" | "restoring" | "withdrawn";
        Progress: {
            /** @enum {string} */
            step: "reading" | "loading" | "checking";
            percent: number;
            bytes_read: number;
            bytes_total: number;
            features_read: number;
            rows_loaded: number;
        };
        Change: {
            compared_with: number | null;
            /** @description Whether that is still what is published. */
            current: boolean;
            gained_km2: number;
            /** @description Of what is published in its scope. */
            lost_km2: number;
            unchanged_km2: number;
            /** @description Of what is lost: where another published scope of the technology covers the ground, at least as available. */
            still_covered_km2: number;
            /** @description Of what is unchanged: where it is available now, and would not be. */
            downgraded_km2: number;
        };
        SubmissionDataset: {
            id: number;
            technology: string;
            /** @description Empty: the coverage that has none. */
            scope: string;
            state: components["schemas"]["DatasetState"];
            area_km2: number | null;
            /** Format: date-time */
            published_at: string | null;
            /** Format: date-time */
            superseded_at: string | null;
            can_roll_back: boolean;
            /** @description What is published now of the same technology and scope. */
            replaces: number | null;
            change: components["schemas"]["Change"] | null;
        };
        Example: {
            layer: string;
            /** @description The number by which the file knows it. */
            feature: number;
            name?: string;
            /** @description The text that could not be used. */
            value?: string;
            lat?: number;
            lng?: number;
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
        MappedAttribute: {
            /** @enum {string} */
            to: "bandwidth_min_mbps" | "bandwidth_max_mbps" | "bandwidth_up_min_mbps" | "bandwidth_up_max_mbps" | "technology" | "availability" | "planned_date" | "tiers";
            attribute: string;
            /** @enum {string} */
            unit?: "kbps" | "mbps" | "gbps";
            /** @enum {string} */
            from: "manifest" | "recognised" | "assumed";
        };
        ReportedLayer: {
            name: string;
            format: string;
            reference_system: string;
            /** @enum {string} */
            reference_system_from: "file" | "format" | "manifest" | "assumed";
            encoding?: string;
            attributes: string[];
            mapping: components["schemas"]["MappedAttribute"][];
            /** @description Attributes that were not used. */
            unused: string[];
            features: number;
        };
        /** @description What was read, repaired, dropped and why. */
        Report: {
            /** @description The report as sentences; absent from the oldest reports. */
            text?: string[];
            features: {
                read: number;
                loaded: number;
                repaired: number;
                clipped: number;
                /** @description By reason. */
                dropped: {
                    [key: string]: number;
                };
            };
            problems: components["schemas"]["Problem"][];
            /** @description The distinct offers, each with its area. */
            tiers: components["schemas"]["Tier"][];
            warnings: {
                code: string;
                message: string;
            }[];
            layers: components["schemas"]["ReportedLayer"][];
            rows: number;
            vertices: number;
            /** @description Where features overlap, each counts. */
            area_km2: number;
            /** @description West, south, east, north. */
            bbox: [
                number,
                number,
                number,
                number
            ] | null;
            /** @description Against what was published when the file was loaded. */
            change?: {
                technology: string;
                scope?: string;
                gained_km2: number;
                /** @description Of what is published in its scope. */
                lost_km2: number;
                unchanged_km2: number;
                /** @description Of what is lost: where another published scope of the technology covers the ground, at least as available. */
                still_covered_km2?: number;
                /** @description Of what is unchanged: where it is available now, and would not be. */
                downgraded_km2?: number;
            }[];
            /** @description How long reading and loading took. */
            seconds?: number;
        } & {
            [key: string]: unknown;
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
        Submission: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["SubmissionStatus"];
            /** @description No work is under way or to come, unless somebody asks for it. */
            finished: boolean;
            /** @enum {string|null} */
            waiting_for: "prediction" | "publish" | null;
            /** @description Grows with every change. */
            revision: number;
            provider: components["schemas"]["NamedProvider"];
            technologies: string[];
            /** @enum {string} */
            kind: "coverage" | "towers";
            /** @enum {string} */
            processed_by: "operator" | "service";
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
            submitted_by: string | null;
            /** @description The operator’s note on its file: one line. */
            note: string;
            /** Format: date-time */
            received_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            progress: components["schemas"]["Progress"] | null;
            error: components["schemas"]["ErrorReport"] | null;
            /** @description To be confirmed before it is published: large losses, warnings. */
            blocking: {
                code: string;
                message: string;
            }[];
            /** @description Identifies the comparison with what is published now; publishing names it to confirm `blocking`. Null where it is not ready, or is being compared. */
            comparison: string | null;
            /** @description Whether it is being compared with what is published now. */
            comparing: boolean;
            /** @description It was to publish itself, and waits because of `blocking`. */
            held_back: boolean;
            datasets: components["schemas"]["SubmissionDataset"][];
            can: {
                publish: boolean;
                withdraw: boolean;
                attach_prediction: boolean;
            };
            manifest?: components["schemas"]["Manifest"];
            report?: components["schemas"]["Report"] | null;
            links: components["schemas"]["Links"];
        };
        Accepted: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["SubmissionStatus"];
            duplicate: boolean;
            links: components["schemas"]["Links"];
        };
        /** @description Why a submission is not published. Where its publisher has not seen what it means now, with the submission as it is now. */
        PublishingRefused: {
            code: string;
            message: string;
            hint?: string;
            docs: string;
            submission?: components["schemas"]["Submission"];
        };
        ValueSummary: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "values";
            /** @description Pixels that were counted: fewer than `total` are a sample. */
            counted: number;
            total: number;
            /** @description The share that is transparent or no data. */
            empty: number;
            min: number | null;
            max: number | null;
            /** @enum {string|null} */
            unit: "dBm" | null;
            /** @description Where there are at most 20. */
            values: {
                value: number;
                share: number;
            }[] | null;
            /** @description Bin i holds values from `from + i * step` to below the next bin. */
            histogram: {
                from: number;
                step: number;
                shares: number[];
            } | null;
            /** @description Far from all others, such as programs write for no data. */
            doubtful: {
                value: number;
                share: number;
            }[];
        };
        ColourSummary: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "colours";
            /** @description Pixels that were counted: fewer than `total` are a sample. */
            counted: number;
            total: number;
            /** @description The share that is transparent or no data. */
            empty: number;
            /** @description Most frequent first, similar ones together. */
            colours: {
                colour: string;
                tolerance: number;
                share: number;
            }[];
            /** @description The share of colours that are not listed. */
            others: number;
        };
        PixelSummary: components["schemas"]["ValueSummary"] | components["schemas"]["ColourSummary"];
        InspectedLayer: {
            name: string;
            format: string;
            reference_system: string | null;
            attributes: string[];
            /** @description Some values, by attribute. */
            examples: {
                [key: string]: string[];
            };
            mapping: components["schemas"]["MappedAttribute"][];
            pixels?: components["schemas"]["PixelSummary"];
            /** @description Where `reference_system` is null. */
            reference_system_choices?: components["schemas"]["ReferenceSystemChoice"][];
        };
        Inspection: {
            /** @enum {string} */
            kind: "coverage" | "towers";
            layers: components["schemas"]["InspectedLayer"][];
            manifest: components["schemas"]["Manifest"];
            /** @description Speeds that no attribute of the file gives. */
            speeds_missing: ("bandwidth_min_mbps" | "bandwidth_max_mbps" | "bandwidth_up_min_mbps" | "bandwidth_up_max_mbps")[];
            warnings: {
                code: string;
                message: string;
            }[];
            /** @description Of tower data; `problems` are sentences about rows that cannot be used. */
            towers: {
                count: number;
                problems: string[];
            } | null;
        };
        EarlierClasses: {
            file_name: string;
            classes: components["schemas"]["PixelClass"][];
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
            /** @description The note kept with the answers; the submission gets it. */
            note: string;
            /** @description false where the file is known to fail. An inspection that was only too slow does not count. */
            can_submit?: boolean;
            /** @description Whether it is submitted with these answers once it is inspected. */
            submits: boolean;
            /** @description The pixel classes with which the provider last submitted a file, of values and of colours. */
            earlier_classes?: components["schemas"]["EarlierClasses"][];
            /** Format: uuid */
            submission_id: string | null;
            /**
             * Format: date-time
             * @description When it is removed unless it is submitted.
             */
            expires_at: string | null;
            links: components["schemas"]["Links"];
        };
        Dataset: {
            id: number;
            /** Format: uuid */
            submission_id: string;
            provider: components["schemas"]["NamedProvider"];
            technology: string;
            /** @description Empty: the coverage that has none. */
            scope: string;
            state: components["schemas"]["DatasetState"];
            area_km2: number | null;
            /** @description What else is published now of the same coverage. */
            replaces: number | null;
            file_name: string;
            /** Format: date-time */
            received_at: string;
            /**
             * Format: date-time
             * @description The last time that it became current.
             */
            published_at: string | null;
            /** Format: date-time */
            superseded_at: string | null;
            can_roll_back: boolean;
            /** @description The operator’s note on its file: one line. */
            note: string;
            /** @enum {string} */
            processed_by: "operator" | "service";
        };
        SavedProfile: {
            /** @description The provider’s web address: absolute, http or https. */
            url: string;
            /**
             * @description Whether it sells to other providers only.
             * @enum {string}
             */
            wholesale_network: "Yes" | "No" | "Both";
            /** @description A short description; may be empty. */
            description: string;
            /** @description Regions served. */
            area_served: string[];
            /** @description For staff. */
            name?: string;
        };
        ProviderProfile: {
            id: number;
            name: string;
            /** @description Empty where none was given: then nothing more is published. */
            url: string;
            /**
             * @description Whether it sells to other providers only.
             * @enum {string}
             */
            wholesale_network: "Yes" | "No" | "Both";
            /** @description A short description; may be empty. */
            description: string;
            /** @description Regions served. */
            area_served: string[];
            /** @description Counts changes. */
            revision: number;
            /**
             * Format: date-time
             * @description Until then manifests change it.
             */
            profile_saved_at: string | null;
        };
        PublishedCoverage: {
            provider_id: number;
            technology: string;
            /** @description Empty: the coverage that has none. */
            scope: string;
            dataset_id: number;
            /** @description Where its areas overlap, each counts. */
            area_km2: number | null;
            /** Format: date-time */
            published_at: string;
        };
        Catalog: {
            provider: components["schemas"]["ProviderProfile"] | null;
            /** @description Those that a manifest may name. */
            providers: components["schemas"]["NamedProvider"][];
            technologies: {
                name: string;
                label: string;
                set_id: number;
            }[];
            /** @description What lookups answer from now, of one’s own provider; of all for staff. A publication replaces what has its technology and its scope, whatever the case. */
            published: components["schemas"]["PublishedCoverage"][];
            /** @description What modelling coverage from towers costs, without GST: an operator’s first, each later one, and the operator’s own next; null for staff. */
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
            /** @description The largest file that is accepted. */
            upload_limit_bytes: number;
            service_area: {
                south: number;
                west: number;
                north: number;
                east: number;
            };
            basemap_style_url: string | null;
            /**
             * Format: date
             * @description In New Zealand: a planned date before it is refused.
             */
            today: string;
        };
        OwnProcessingFee: {
            id: number;
            provider: components["schemas"]["NamedProvider"];
            /** @enum {string} */
            kind: "first" | "later";
            /** @description Cents without GST. */
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
            /** @description Its number. */
            invoice: number | null;
            /**
             * Format: date
             * @description When that was issued.
             */
            invoiced_on: string | null;
        };
        AskedCoordinate: [
            number,
            number
        ] | {
            lat: number | string;
            lng: number | string;
            id?: string | number;
        };
        BulkAnswer: {
            /** @description As in the request. */
            id?: string | number;
            /** @description Absent where the request had none. */
            location?: {
                lat: string;
                lng: string;
            };
            results?: components["schemas"]["TechnologyAvailability"][];
            /** @description In place of `results`. */
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
            /** @description Coordinates read so far. */
            coordinates: number;
            /** @description Of these, answered ones: queries. */
            answered: number;
            cost: {
                /** @description Lines that are neither empty nor a header. */
                coordinates: number;
                free: number;
                /** @description In the plan. */
                included: number;
                overage: number;
                /** @description Cents without GST. */
                overage_cents: number;
            } | null;
            error: components["schemas"]["ErrorReport"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description When file and result are removed.
             */
            expires_at: string | null;
            links: {
                self: string;
                /** @description Until it is started. */
                start?: string;
                /** @description Once it is done. */
                result?: string;
            };
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
             * @description When the token expires that started the session.
             */
            token_expires_at: string;
        };
        NameStatus: {
            /** @description What the code means, in words. */
            status: string;
            /** @description As the whois protocol has them: 200 Active, 210 PendingRelease (until the end of the window of the run that releases it), 220 Available, 440 Request Denied (a zone itself), 500 Invalid characters, 501 Invalid domain name, 502 not in a managed zone. */
            code: string;
            /** @description As the register stores it, or would: lower case, Punycode where the name has other letters. Always ASCII. */
            domain: string;
            /** @description The Unicode form, where the name has letters other than ASCII. */
            original?: string;
        };
        DroplistEntry: {
            /** @description As the register stores it. */
            domain: string;
            /** @description When it was registered. */
            registered: string;
            /** @description When it was cancelled. */
            cancel_date: string;
            /** @description 90 days later: it may be released from then on. */
            release_date: string;
            /** @description When it is expected to be released: the end of the first daily run after that. */
            drop_date: string;
        };
        CodedError: {
            /** @description For programs; stays as it is. */
            code: string;
            /** @description What is wrong, a sentence. */
            message: string;
            /** @description What to do about it. */
            hint?: string;
            /** @description The address of its section in the documentation, as /docs#/errors/request_invalid. */
            docs: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAvailability: {
        parameters: {
            query?: {
                /** @description `1`: each provider says where its entry comes from */
                explain?: "0" | "1";
                /** @description The answer as it was published at the end of this day in New Zealand, as long as versions are kept */
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
            /** @description What is there. */
            200: {
                headers: {
                    /** @description May be kept for ten days. */
                    "Cache-Control"?: string;
                    /** @description Send it as `If-None-Match` to be told whether the answer is still so. */
                    ETag?: string;
                    /** @description The rate of the key, as `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"key";r=18;t=1`. */
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
            /** @description Not changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a position in the service area. */
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
            /** @description The key is missing or not valid. */
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
            /** @description `at` is a day of which the coverage is no longer kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 410,
                     *       "error": "The coverage of that day is not kept any more."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description More than the rate of the key. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the key, as `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"key";r=18;t=1`. */
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
            /** @description A fault of the server, perhaps a passing one. */
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
            /** @description The answers, as `Accept` asks for: lines of JSON unless it says otherwise. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAnswer"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description No list of coordinates. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "The body is not JSON."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or not valid. */
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
            /** @description Too many coordinates, or bytes. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 413,
                     *       "error": "The body has more than 4194304 bytes."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in none of the forms. */
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
            /** @description More coordinates than the customer’s allowance. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
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
        };
    };
    createBulkJob: {
        parameters: {
            query?: {
                /** @description 1: quote the cost, and wait for the start */
                quote?: "1";
            };
            header?: never;
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
            /** @description Stored and queued. */
            202: {
                headers: {
                    /** @description Where its state is. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            /** @description Nothing, or only a part, has come. */
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
            /** @description The key is missing or not valid; or there is no plan, and fewer free queries are left than it would take. */
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
                     *       "error": "The file has more than 104857600 bytes."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is in none of the forms. */
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
            /** @description More than the rate of the key, or more files than are worked on at once. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["MessageError"];
                };
            };
            /** @description A fault of the server, perhaps a passing one. */
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
            /** @description Files cannot be stored at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 503,
                     *       "error": "The storage is not available."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no room left. */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 507,
                     *       "error": "There is no room left."
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
                 * @description Of the file
                 * @example 7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            /** @description The key is missing or not valid; or there is no plan, and fewer free queries are left than it would take. */
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
            /** @description There is no such file, or its day is over. */
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
            /** @description More than the rate of the key. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the key, as `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"key";r=18;t=1`. */
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
            /** @description A fault of the server, perhaps a passing one. */
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
                 * @description Of the file
                 * @example 7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing or not valid; or there is no plan, and fewer free queries are left than it would take. */
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
            /** @description There is no such file, or its day is over. */
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
            /** @description More than the rate of the key. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the key, as `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"key";r=18;t=1`. */
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
            /** @description A fault of the server, perhaps a passing one. */
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
                 * @description Of the file
                 * @example 7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            /** @description The key is missing or not valid; or there is no plan, and fewer free queries are left than it would take. */
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
            /** @description There is no such file, or its day is over. */
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
            /** @description More than the rate of the key. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the key, as `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"key";r=18;t=1`. */
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
            /** @description A fault of the server, perhaps a passing one. */
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
                 * @description Of the file
                 * @example 7d1f6f0e-2b1c-4f5d-9a3e-5c7b8d9e0f1a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers, in the form that `Accept` asked for when the file was submitted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAnswer"][];
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description The key is missing or not valid; or there is no plan, and fewer free queries are left than it would take. */
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
            /** @description There is no such file, or its day is over. */
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
            /** @description It is not done. */
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
            /** @description More than the rate of the key. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the key, as `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"key";r=18;t=1`. */
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
            /** @description A fault of the server, perhaps a passing one. */
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
                    /** @description May be kept for ten days. */
                    "Cache-Control"?: string;
                    /** @description Send it as `If-None-Match` to be told whether the answer is still so. */
                    ETag?: string;
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
            /** @description Not changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The key is missing or not valid. */
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
            /** @description More than the rate of the key. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the key, as `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"key";r=18;t=1`. */
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
            /** @description A fault of the server, perhaps a passing one. */
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
            /** @description The usage of all keys of the customer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyUsage"];
                };
            };
            /** @description The key is missing or not valid. */
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
            /** @description More than the rate of the key. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the key, as `"key";q=20;w=10`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"key";r=18;t=1`. */
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
            /** @description A fault of the server, perhaps a passing one. */
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
            /** @description What is there. */
            200: {
                headers: {
                    /** @description May be kept for ten days. */
                    "Cache-Control"?: string;
                    /** @description Send it as `If-None-Match` to be told whether the answer is still so. */
                    ETag?: string;
                    /** @description Since when, as in RFC 9745. */
                    Deprecation?: string;
                    /** @description The same lookup in version 2.0. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Availability1"];
                };
            };
            /** @description Not changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a position in the service area, or no plain decimal numbers. */
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
            /** @description The key is missing or not valid. */
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
            /** @description More than the rate of the key. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
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
            /** @description A fault of the server, perhaps a passing one. */
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
                 * @description One label, without a zone
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
            /** @description An entry for each zone, or for each name in its order. */
            200: {
                headers: {
                    /** @description Pages of any origin may read it. */
                    "Access-Control-Allow-Origin"?: string;
                    /** @description The rate of the registrar in names, as `"registrar";q=10000;w=100`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"registrar";r=9984;t=1`. */
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
            /** @description Neither parameter, both, `string` twice, or too many names. */
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
            /** @description The address is on no registrar’s list. */
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
            /** @description A body that is too large. */
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
            /** @description A body that is not form-encoded, or compressed. */
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
            /** @description More names than the rate of the registrar. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the registrar in names, as `"registrar";q=10000;w=100`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"registrar";r=9984;t=1`. */
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
                /** @description What `Last-Modified` was: 304 where nothing has changed since */
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
                    /** @description The rate of the registrar in names, as `"registrar";q=10000;w=100`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"registrar";r=9984;t=1`. */
                    RateLimit?: string;
                    /** @description When the content last changed. */
                    "Last-Modified"?: string;
                    /** @description The hash of the content. */
                    ETag?: string;
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
            /** @description Not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The address is on no registrar’s list. */
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
            /** @description More names than the rate of the registrar. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    /** @description The rate of the registrar in names, as `"registrar";q=10000;w=100`. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of it, as `"registrar";r=9984;t=1`. */
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
    listSubmissions: {
        parameters: {
            query?: {
                /** @description How many, 50 unless given */
                limit?: number;
                /** @description What the page before had as `next` */
                before?: string;
                /**
                 * @description Only of this technology
                 * @example fibre
                 */
                technology?: string;
                /**
                 * @description Only with this status
                 * @example published
                 */
                status?: "received" | "reading" | "loading" | "checking" | "ready" | "published" | "superseded" | "failed" | "withdrawn";
                /** @description Only of the provider with this name; for staff */
                provider?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, each without `manifest` and `report`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        submissions: components["schemas"]["Submission"][];
                        /**
                         * Format: uuid
                         * @description For `before`.
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
                    /** @description Seconds to wait. */
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
    handIn: {
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
                    /** @description What it is, as JSON: see `Manifest`. The provider may be left out. */
                    manifest: string;
                    /**
                     * @description `true`: process it again, also where the same was submitted before.
                     * @enum {string}
                     */
                    again?: "true" | "false";
                    /** @description The operator’s note: one line. */
                    note?: string;
                };
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Of an upload.
                     */
                    file_id: string;
                    manifest: components["schemas"]["Manifest"];
                    again?: boolean;
                    /** @description The operator’s note: one line. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description The same was submitted before: this is that submission. */
            200: {
                headers: {
                    /** @description The address of the submission. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description Stored, and queued for processing. */
            202: {
                headers: {
                    /** @description The address of the submission. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description `request_invalid`, `file_missing`, `manifest_missing`, `manifest_not_json`, `upload_incomplete`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "request_invalid" | "file_missing" | "manifest_missing" | "manifest_not_json" | "upload_incomplete";
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
            /** @description `manifest_invalid`, `provider_url_missing`, `technology_unknown`, `planned_date_past`, `file_not_usable`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "manifest_invalid" | "provider_url_missing" | "technology_unknown" | "planned_date_past" | "file_not_usable";
                    };
                };
            };
            /** @description `too_many_attempts`, `submissions_too_many`, `uploads_too_many`. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "too_many_attempts" | "submissions_too_many" | "uploads_too_many";
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
                 * @description Of the submission
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as if it had been uploaded again, with the answers of that submission: submit it with the same or other ones. */
            201: {
                headers: {
                    /** @description The address of the file. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
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
                    /** @description The datasets that it is expected to replace; others: `published_meanwhile`. */
                    replaces?: number[] | null;
                    /** @description The submission’s `comparison`, to confirm its `change` and `blocking`. Required where `blocking` is not empty. */
                    comparison?: string | null;
                };
            };
        };
        responses: {
            /** @description Published, also where it was already. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Withdrawn. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
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
                    /** @description The operator’s note: one line. */
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
                    /** @description Seconds to wait. */
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
                /** @description The same, for clients that cannot set headers */
                last_event_id?: string;
            };
            header?: {
                /** @description The newest event that is known */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description Of the submission
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description There is nothing after the event that is known, nor will there be. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
                /**
                 * @description Zoom
                 * @example 8
                 */
                z: number;
                /**
                 * @description Column
                 * @example 252
                 */
                x: number;
                /**
                 * @description Row
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
            /** @description There is nothing in it. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not changed since the answer that `If-None-Match` names. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
                /**
                 * @description Zoom
                 * @example 8
                 */
                z: number;
                /**
                 * @description Column
                 * @example 252
                 */
                x: number;
                /**
                 * @description Row
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
            /** @description There is nothing in it. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not changed since the answer that `If-None-Match` names. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the version
                 * @example 29
                 */
                id: number;
                /**
                 * @description Zoom
                 * @example 8
                 */
                z: number;
                /**
                 * @description Column
                 * @example 252
                 */
                x: number;
                /**
                 * @description Row
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
            /** @description There is nothing in it. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not changed since the answer that `If-None-Match` names. */
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
                    /** @description Seconds to wait. */
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
    getCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The choices and limits. */
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
                    /** @description Seconds to wait. */
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
            /** @description By name. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the provider
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
                    /** @description The revision, for If-Match. */
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
                    /** @description Seconds to wait. */
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
                 * @description The ETag of the profile that was changed, or `*`
                 * @example "3"
                 */
                "If-Match": string;
            };
            path: {
                /**
                 * @description Of the provider
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
            /** @description The profile as it is now. */
            200: {
                headers: {
                    /** @description The revision, for If-Match. */
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
                    /** @description Seconds to wait. */
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
                            /** @description Cents without GST. */
                            amount_cents: number;
                            by_state: {
                                accrued: {
                                    count: number;
                                    /** @description Cents without GST. */
                                    amount_cents: number;
                                };
                                invoiced: {
                                    count: number;
                                    /** @description Cents without GST. */
                                    amount_cents: number;
                                };
                                paid: {
                                    count: number;
                                    /** @description Cents without GST. */
                                    amount_cents: number;
                                };
                                waived: {
                                    count: number;
                                    /** @description Cents without GST. */
                                    amount_cents: number;
                                };
                            };
                        };
                        terms: {
                            /** @description For an operator’s first, without GST. */
                            first_processing_cents: number;
                            /** @description For each later one, without GST. */
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
                    /** @description Seconds to wait. */
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
            /** @description Newest first, without `inspection`. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the upload: the last part of its address
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
                    /** @description Seconds to wait. */
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
                 * @description Of the upload: the last part of its address
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the upload: the last part of its address
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
                    /** @description Of the submission. */
                    note?: string;
                    /** @description false: withdraws the answers; `manifest` is not needed then. */
                    submit?: boolean;
                };
            };
        };
        responses: {
            /** @description The file, with these answers. */
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
                    /** @description Seconds to wait. */
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
                 * @description The version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description The size of the file in bytes
                 * @example 73110
                 */
                "Upload-Length": string;
                /**
                 * @description `filename`, and perhaps `manifest` and `again`, each with its value in base64
                 * @example filename bm9ydGguemlw
                 */
                "Upload-Metadata"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Begun. */
            201: {
                headers: {
                    /** @description The address of the upload. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `manifest_not_json`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "manifest_not_json";
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
            /** @description `Tus-Resumable` is missing or another version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
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
                    /** @description Seconds to wait. */
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
    deleteUpload: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                /**
                 * @description Of the upload: the last part of its address
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
            /** @description `Tus-Resumable` is missing or another version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
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
                 * @description The version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                /**
                 * @description Of the upload: the last part of its address
                 * @example 5f0c8d7e-1a2b-4c3d-8e9f-0a1b2c3d4e5f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description So far. */
            200: {
                headers: {
                    /** @description The bytes received so far. */
                    "Upload-Offset"?: string;
                    /** @description The submission of the file, if it came with a manifest. */
                    Submission?: string;
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
                    /** @description Seconds to wait. */
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
                 * @description The version of the protocol
                 * @example 1.0.0
                 */
                "Tus-Resumable": "1.0.0";
                /**
                 * @description Where they begin
                 * @example 0
                 */
                "Upload-Offset": string;
            };
            path: {
                /**
                 * @description Of the upload: the last part of its address
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
            /** @description Stored. */
            204: {
                headers: {
                    /** @description The bytes received so far. */
                    "Upload-Offset"?: string;
                    /** @description The submission of the file, if it came with a manifest. */
                    Submission?: string;
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
            /** @description `Tus-Resumable` is missing or another version. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
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
                    /** @description Seconds to wait. */
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
                 * @description Only of this technology
                 * @example fibre
                 */
                technology?: string;
                /** @description Only of the provider with this name; for staff */
                provider?: string;
                state?: components["schemas"]["DatasetState"];
                /** @description How many, 100 unless given */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the version
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
                    /** @description The version that it is expected to replace; null: nothing is published. Absent: not checked. */
                    replaces?: number | null;
                };
            };
        };
        responses: {
            /** @description It is current. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dataset: components["schemas"]["Dataset"];
                        /** @description The version before. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the version
                 * @example 29
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is offline. */
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
                    /** @description Seconds to wait. */
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
                    /** @description Seconds to wait. */
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
            /** @description Signed in. */
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
                    /** @description Seconds to wait. */
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
            /** @description The session has ended, also where there was none. */
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
                    /** @description Seconds to wait. */
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
                /** @description How many, 100 unless given */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What waits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        work: components["schemas"]["Submission"][];
                        /** @description How many there are. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
                 * @example 0b7e9c52-6a0f-4b0e-9d6f-3a1f0c1d2e3f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A point for each tower. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        /** @enum {string} */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the submission
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
                     * @description The coverage.
                     */
                    file: string;
                    /** @description Fields that replace those of the submission, as JSON. */
                    manifest?: string;
                };
            };
        };
        responses: {
            /** @description Stored, and queued for processing. */
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
                    /** @description Seconds to wait. */
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
    refuseTowers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the submission
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
                    /** @description A sentence for the operator. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The submission, which has failed. */
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
                    /** @description Seconds to wait. */
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
            /** @description The sets. */
            200: {
                headers: {
                    /** @description Pages of any origin may read it. */
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
                    };
                };
            };
            /** @description Not changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many from one address. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests. Try again later."
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
                 * @description The technology’s `set_id`
                 * @example 1
                 */
                set: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where its tiles are. Their address changes when what they show does. */
            200: {
                headers: {
                    /** @description Pages of any origin may read it. */
                    "Access-Control-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        tilejson: "3.0.0";
                        name: string;
                        /** @enum {string} */
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
            /** @description Not changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No technology has this `set_id`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "No technology has this set of tiles."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many from one address. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests. Try again later."
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
                /** @description The version that TileJSON names: with it, the answer may be kept for ever */
                v?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The technology’s `set_id`
                 * @example 1
                 */
                set: number;
                /**
                 * @description Zoom
                 * @example 8
                 */
                z: number;
                /**
                 * @description Column
                 * @example 252
                 */
                x: number;
                /**
                 * @description Row
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
            /** @description There is nothing in it. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `z`, `x`, `y` are not those of a tile. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 400,
                     *       "error": "There is no such tile."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No technology has this `set_id`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 404,
                     *       "error": "No technology has this set of tiles."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many from one address. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The tile could not be made in time. */
            503: {
                headers: {
                    /** @description Seconds to wait. */
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As version 2.0. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Availability"];
                };
            };
            /** @description Not changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a position in the service area. */
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
            /** @description The request does not come from a page of this server. */
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
            /** @description Too many from one address. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": 429,
                     *       "error": "Too many requests. Try again later."
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the server, perhaps a passing one. */
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
            /** @description The technologies and the service area. */
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
                        service_area: {
                            south: number;
                            west: number;
                            north: number;
                            east: number;
                        };
                        /** @description Null: the built-in basemap. */
                        basemap_style_url: string | null;
                    };
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description How many, 100 unless given */
                limit?: number;
                /** @description What the page before had as `next` */
                before?: string;
                /** @description Only of this submission */
                submission?: string;
                /** @description Only of this version */
                dataset?: number;
                /** @description Only of the provider with this name */
                provider?: string;
                /** @description Only of this customer */
                customer?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
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
                    /** @description Seconds to wait. */
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
            /** @description What pages begin with. */
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
                        limit: components["schemas"]["ShownLimit"] | null;
                        /** @description Null where no month is closed. */
                        closed_through: string | null;
                        next_close: {
                            month: string;
                            over: boolean;
                            /** Format: date-time */
                            scheduled_for: string | null;
                        };
                        terms: {
                            /** @description Cents without GST. */
                            overage_cents: number;
                            gst_percent: number;
                            free_queries: number;
                            /** @description From an invoice to when it is due. */
                            due_days: number;
                            /** @description Cents without GST. */
                            first_processing_cents: number;
                            /** @description Cents without GST. */
                            later_processing_cents: number;
                        };
                        /** @description Amounts posted by hand have to be confirmed from here on. */
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
                    /** @description Seconds to wait. */
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
                /** @description Only in this state */
                state?: "accrued" | "invoiced" | "paid" | "waived";
                /** @description Accrued in this month or later */
                from?: string;
                /** @description Accrued in this month or earlier */
                to?: string;
                /** @description Only of the provider with this name */
                provider?: string;
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fees that match, and their totals. Also as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fees: components["schemas"]["ProcessingFee"][];
                        totals: {
                            count: number;
                            /** @description Cents without GST. */
                            amount_cents: number;
                            by_state: {
                                accrued: {
                                    count: number;
                                    /** @description Cents without GST. */
                                    amount_cents: number;
                                };
                                invoiced: {
                                    count: number;
                                    /** @description Cents without GST. */
                                    amount_cents: number;
                                };
                                paid: {
                                    count: number;
                                    /** @description Cents without GST. */
                                    amount_cents: number;
                                };
                                waived: {
                                    count: number;
                                    /** @description Cents without GST. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the fee
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
                     * @description `unwaived` undoes the waiver: the fee is accrued or invoiced again.
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
                    /** @description Seconds to wait. */
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
                 * @description The current one unless given
                 * @example 2026-11
                 */
                month?: string;
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month. Also as CSV. */
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
                            /** @description Free, bundled and overage together. */
                            queries: number;
                            free: number;
                            bundled: number;
                            overage: number;
                            /** @description Cents without GST. */
                            overage_cents: number;
                            /** @description Cents without GST. */
                            plan_fee_cents: number;
                        };
                        /** @description Files of counts that were found damaged in this month: their queries are not billed. */
                        damaged_files: {
                            /** @description The machine that has the file. */
                            host: string;
                            /** @description Where the file is now. */
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
                            /** @description Free, bundled and overage together. */
                            queries: number;
                            free: number;
                            bundled: number;
                            overage: number;
                            /** @description Cents without GST. */
                            overage_cents: number;
                            /** @description Cents without GST. */
                            plan_fee_cents: number;
                            /** @description What the plan includes. */
                            bundle: number;
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
                    /** @description Seconds to wait. */
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
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft invoices. Also as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        month: string;
                        /** @enum {string} */
                        state: "open" | "closable" | "waiting" | "closed";
                        /** @description The months that have to be closed first. */
                        before: string[];
                        invoices: {
                            /**
                             * @description `month`: the month was closed. `plan_start`: a plan started in the month, which is billed in advance.
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
                            /** @description The law asks for an address or another identifier of the recipient, and there is none. */
                            lacks_identifier: boolean;
                            lines: {
                                position: number;
                                /** @enum {string} */
                                kind: "plan_fee" | "overage" | "adjustment" | "processing_fee" | "waiver" | "credit" | "charge" | "reversal";
                                month: string;
                                description: string;
                                quantity: number;
                                /** @description Cents without GST. */
                                unit_price_cents: number;
                                /** @description Cents without GST; waivers and credits are negative. */
                                amount_cents: number;
                                cause: string;
                                /** @description The figures that it was calculated from. */
                                source: {
                                    [key: string]: unknown;
                                };
                                entry_id: number | null;
                            }[];
                            usage: {
                                month: string;
                                queries: number;
                                free: number;
                                bundle: number;
                                bundled: number;
                                overage: number;
                            } | null;
                            /** @description Cents without GST. */
                            subtotal_cents: number;
                            /** @description The tax. */
                            gst_cents: number;
                            /** @description Cents with GST; below zero it is a credit. */
                            total_cents: number;
                            /** @description What is to be paid, cents with GST. */
                            due_cents: number;
                            /** @description The credit that the invoice before carried forward, with GST. */
                            brought_forward_cents: number;
                            /** @description The credit left for the next invoice, with GST. */
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
                    /** @description Seconds to wait. */
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
                    /** @description The total of a preview: the month is closed only where it is still the total. */
                    total_cents?: number;
                };
            };
        };
        responses: {
            /** @description The invoices of the month. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invoices: components["schemas"]["Invoice"][];
                        totals: components["schemas"]["InvoiceTotals"];
                        month: string;
                        /** @description False where it was closed before. */
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
                    /** @description Seconds to wait. */
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
                /** @description Only of this month */
                month?: string;
                /** @description Only of this customer */
                customer?: number;
                /** @description Only of this operator */
                provider?: number;
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoices. Also as CSV. */
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
                    /** @description Seconds to wait. */
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
                /** @description Only of this month */
                month?: string;
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoices. Also as CSV. */
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
                    /** @description Seconds to wait. */
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
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv" | "html";
            };
            header?: never;
            path: {
                /**
                 * @description Of the invoice
                 * @example 17
                 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice; as HTML, a page that prints on A4. Also as CSV and HTML. */
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
                    /** @description Seconds to wait. */
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
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv" | "html";
            };
            header?: never;
            path: {
                /**
                 * @description Of the invoice
                 * @example 17
                 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice; as HTML, a page that prints on A4. Also as CSV and HTML. */
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
                    /** @description Seconds to wait. */
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
                /** @description Only of this customer */
                customer?: number;
                /** @description Only of this operator */
                provider?: number;
                /** @description Only of this month */
                month?: string;
                /** @description What the page before had as `next` */
                before?: string;
                /** @description How many: 100 unless given, 500 at most; as CSV all, 100000 at most */
                limit?: number;
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. Also as CSV. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the entry
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
                    /** @description Above zero; all that is left unless given. */
                    amount_cents?: number;
                    /** @description The same amount again; required from `confirm_from_cents` on. */
                    confirm_amount_cents?: number;
                    /** @description An account has one entry of a reference. */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description The entry. */
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
                    /** @description Seconds to wait. */
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
                    /** @description Its id; or `provider`. */
                    customer?: number;
                    provider?: number;
                    /** @description Cents without GST. */
                    amount_cents: number;
                    /** @description The same amount again; required from `confirm_from_cents` on. */
                    confirm_amount_cents?: number;
                    /** @description Shown on the invoice. */
                    reason: string;
                    /** @description An account has one entry of a reference. */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description The entry. */
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
                    /** @description Seconds to wait. */
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
                    /** @description Its id; or `provider`. */
                    customer?: number;
                    provider?: number;
                    /** @description Cents without GST. */
                    amount_cents: number;
                    /** @description The same amount again; required from `confirm_from_cents` on. */
                    confirm_amount_cents?: number;
                    /** @description Shown on the invoice. */
                    reason: string;
                    /** @description An account has one entry of a reference. */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description The entry. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of this customer; or `provider`
                 * @example 1
                 */
                customer?: number;
                /** @description Of this operator */
                provider?: number;
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement; as CSV, its invoices. Also as CSV. */
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
                    /** @description Seconds to wait. */
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
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement; as CSV, its invoices. Also as CSV. */
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
                    /** @description Seconds to wait. */
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
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customers. Also as CSV. */
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
                    /** @description Seconds to wait. */
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
                 *       "begins": "2026-12-01"
                 *     }
                 */
                "application/json": {
                    name: string;
                    plan?: string;
                    /**
                     * Format: date
                     * @description Today unless given.
                     */
                    begins?: string;
                };
            };
        };
        responses: {
            /** @description The customer. */
            201: {
                headers: {
                    /** @description The address of the customer. */
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
            /** @description `customer_exists`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_exists";
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                    plan: string;
                    /** Format: date */
                    begins?: string;
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                     * @description Today unless given.
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                    /** @description Who will use it. */
                    name: string;
                    /** @description Until it expires; 365 unless given. */
                    days?: number;
                };
            };
        };
        responses: {
            /** @description The secret is shown this once. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
                 * @example 1
                 */
                id: number;
                /**
                 * @description Of the token
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
            /** @description `customer_token_unknown`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {string} */
                        code?: "customer_token_unknown";
                    };
                };
            };
            /** @description `too_many_attempts`. */
            429: {
                headers: {
                    /** @description Seconds to wait. */
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
                 * @description The current one unless given
                 * @example 2026-11
                 */
                month?: string;
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /**
                 * @description Of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month. Also as CSV. */
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
                    /** @description Seconds to wait. */
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
                 * @description The current one unless given
                 * @example 2026-11
                 */
                month?: string;
                /** @description The form of the answer, in place of `Accept` */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The month. Also as CSV. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
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
                };
            };
        };
        responses: {
            /** @description The key. The secret is shown once. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
                 * @example 1
                 */
                id: number;
                /**
                 * @description Of the key
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
                    /** @description 72 unless given. */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The new key. The secret is shown once. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the customer
                 * @example 1
                 */
                id: number;
                /**
                 * @description Of the key
                 * @example 3
                 */
                key: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
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
                    /** @description Seconds to wait. */
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
            /** @description The keys. */
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
                    /** @description Seconds to wait. */
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
                };
            };
        };
        responses: {
            /** @description The key. The secret is shown once. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the key
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
                    /** @description 72 unless given. */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The new key. The secret is shown once. */
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
                    /** @description Seconds to wait. */
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
                 * @description Of the key
                 * @example 3
                 */
                key: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
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
                    /** @description Seconds to wait. */
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
                        limit: components["schemas"]["ShownLimit"] | null;
                        customer: components["schemas"]["Customer"];
                        terms: {
                            /** @description Cents without GST. */
                            overage_cents: number;
                            gst_percent: number;
                            free_queries: number;
                            /** @description From an invoice to when it is due. */
                            due_days: number;
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
                    /** @description Seconds to wait. */
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
            /** @description The contact. */
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
                    /** @description Seconds to wait. */
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
            /** @description The description. */
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
            /** @description Not changed since the answer that `If-None-Match` names. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
            /** @description It does. */
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
            /** @description They can. Of a demo start: its keys, customers, registrars and samples are in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": {
                        status: string;
                    };
                };
            };
            /** @description They cannot, at the moment; `starting` while the demo is not in yet. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "not ready"
                     *     }
                     */
                    "application/json": {
                        status: string;
                    };
                };
            };
        };
    };
}
