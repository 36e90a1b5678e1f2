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
         * @description Either `string`, which is looked up in every zone, or `domains[]`: full names, each answered in its place. The parameters may also be form-encoded in the body of the GET. A name that is wrong gets its entry with a code of its own; the answer is a 200 all the same. Answered to the registered addresses of registrars only.
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
         * @description Those whose `release_date` is at most two days ahead, or past and not yet released; by `drop_date`, then by name. Answered to the registered addresses of registrars only.
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
        /** What was handed in, newest first */
        get: operations["listSubmissions"];
        put?: never;
        /**
         * Hand in a file
         * @description As a form with the file and its manifest, or as JSON of a file that was uploaded before. The file is kept by the time of the answer, and worked on soon.
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
        /** One submission with its manifest and report */
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
        /** The file as it was handed in */
        get: operations["getFileOfSubmission"];
        put?: never;
        post?: never;
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
        /** Take it away before it is published */
        post: operations["withdrawSubmission"];
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
         * Follow a submission as it goes
         * @description Server-sent events. Each `submission` is the whole state, with its revision as the id; `end` is the last.
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
    "/api/operator/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Uploaded files that nobody has described yet */
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
        /** Throw an uploaded file away */
        delete: operations["deleteFile"];
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
         * Begin an upload that can be gone on with (tus 1.0)
         * @description Any client of [tus 1.0](https://tus.io/protocols/resumable-upload) does all of this. With a `manifest` in the metadata the submission is made when the last byte has come; without, the file waits to be described.
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
        /** Throw an upload away */
        delete: operations["deleteUpload"];
        options?: never;
        /** How far an upload is */
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
        /** Make an earlier version current again */
        post: operations["rollBack"];
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
         * @description For browsers: the session is a cookie that no script can read, and lasts 12 hours.
         */
        post: operations["signIn"];
        /** Sign out */
        delete: operations["signOut"];
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
        /** Towers from which coverage is to be made, oldest first */
        get: operations["listWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staff/work/{id}/towers": {
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
    "/api/staff/work/{id}/prediction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Attach the coverage that was made of the towers */
        post: operations["attachPrediction"];
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
        Error: {
            /** @description The HTTP status again. */
            code: number;
            /** @description A sentence. */
            error: string;
        };
        MessageError: {
            /** @description A sentence. */
            message: string;
        };
        CodedError: {
            /** @description For programs; stays as it is. */
            code: string;
            /** @description What is wrong, a sentence. */
            message: string;
            /** @description What to do about it. */
            hint?: string;
        };
        Availability: {
            /** @description The position that was asked for. */
            location: {
                /** @description As in the request. */
                lat: string;
                /** @description As in the request. */
                lng: string;
            };
            /** @description By fastest download, descending. */
            results: components["schemas"]["TechnologyAvailability"][];
        };
        TechnologyAvailability: {
            /** @description fibre, cable, vdsl, wireless, adsl; more may be added. */
            technology: string;
            /** @enum {string} */
            availability: "available" | "planned" | "unavailable";
            /** @description Absent where `availability` is `unavailable`. */
            providers?: components["schemas"]["Offer"][];
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
            /** @description When it is planned to be there, as an HTTP date at midnight GMT; null where that is not known or it is there already. */
            planned_date: string | null;
        };
        Providers: {
            results: components["schemas"]["Provider"][];
        };
        Provider: {
            name: string;
            /** @description May be empty. */
            description: string;
            /** @description Regions. */
            areaServed: string[];
            /** @description As people write them: Fibre, Wireless. */
            technologies: string[];
            /** @description May be empty. */
            url: string;
        };
        Availability1: {
            /** @description The position that was asked for: longitude, then latitude, as in the request. */
            location: [
                string,
                string
            ];
            /** @description By fastest download, descending. */
            results: components["schemas"]["TechnologyAvailability1"][];
        };
        TechnologyAvailability1: {
            /** @description Fibre, Cable, VDSL, Wireless, ADSL; more may be added. */
            technology: string;
            /** @enum {string} */
            availability: "Available" | "Underway" | "Planned" | "Not Available";
            /** @description The earliest known date of what is planned or underway, as an HTTP date. */
            completion?: string;
            /** @description The layer of map tiles of this technology. */
            set_id: number;
            /** @description Absent where `availability` is `Not Available`. */
            providers?: components["schemas"]["Offer1"][];
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
        NameStatus: {
            /** @description What the code means, in words. */
            status: string;
            /** @description As the whois protocol has them: 200 Active, 210 PendingRelease, 220 Available, 440 Request Denied (a zone itself), 500 Invalid characters, 501 Invalid domain name, 502 not in a managed zone. */
            code: string;
            /** @description As the register stores it; Punycode where the name has other letters. */
            domain: string;
            /** @description The Unicode form, only of names with other letters. */
            original?: string;
        };
        DroplistEntry: {
            /** @description As the register stores it. */
            domain: string;
            /** @description When it was registered. */
            registered: string;
            /** @description When it was cancelled. */
            cancel_date: string;
            /** @description 90 days after that: from when on it may be released. */
            release_date: string;
            /** @description When it is expected to be released: the end of the first daily run after that. */
            drop_date: string;
        };
        Manifest: {
            /** @description A name alone leaves what is known of the provider as it is. */
            provider?: string | {
                name: string;
                url?: string | "";
                /** @enum {string} */
                wholesale_network?: "Yes" | "No" | "Both";
                description?: string;
                area_served?: string[];
            };
            /** @description Of every area whose attributes name none; may be absent only where an attribute is named for it. */
            technology?: string;
            /**
             * @default available
             * @enum {string}
             */
            availability: "available" | "underway" | "planned";
            planned_date?: string;
            /**
             * @description Speeds, in Mbps, of every area whose attributes name none.
             * @default {}
             */
            speeds: {
                bandwidth_min_mbps?: number;
                bandwidth_max_mbps?: number;
                bandwidth_up_min_mbps?: number;
                bandwidth_up_max_mbps?: number;
            };
            /** @description Which field of the file holds which speed, and so on. */
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
            /** @description A field whose texts stand for speeds, such as the folder or the style of a KML. */
            tiers?: {
                field: string;
                values: {
                    [key: string]: {
                        /** @default true */
                        coverage: boolean;
                        /** @default {} */
                        speeds: {
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
            /** @description What the pixels of a raster stand for. */
            classes?: {
                colour?: string;
                tolerance?: number;
                value?: number;
                min?: number;
                max?: number;
                /** @default true */
                coverage: boolean;
                /** @default {} */
                speeds: {
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
            smoothing: boolean;
            /** @description The layers to read; all layers of areas where absent. */
            layers?: string[];
            /** @description The reference system of a file that names none: `EPSG:2193`, or a definition in WKT. */
            crs?: string;
            /**
             * @description Whether it publishes itself, or is published by hand.
             * @default review
             * @enum {string}
             */
            publish: "auto" | "review";
            /**
             * @description Who worked the coverage out; of an operator's file, `service` says that it holds towers to work it out from.
             * @default operator
             * @enum {string}
             */
            processed_by: "operator" | "service";
        };
        Accepted: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["SubmissionStatus"];
            duplicate: boolean;
            links: components["schemas"]["Links"];
        };
        /** @enum {string} */
        SubmissionStatus: "received" | "reading" | "loading" | "checking" | "ready" | "published" | "superseded" | "failed" | "withdrawn";
        /** @description Addresses of what follows. */
        Links: {
            [key: string]: string;
        };
        ErrorReport: {
            code: string;
            message: string;
            hint?: string;
        };
        Submission: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["SubmissionStatus"];
            /** @description No work is under way or to come, but for what somebody may ask for. */
            finished: boolean;
            waiting_for: ("prediction" | "publish") | null;
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
            prediction: {
                file: {
                    name: string;
                    size_bytes: number;
                };
                attached_at: string;
                error: components["schemas"]["ErrorReport"] | null;
            } | null;
            submitted_by: string | null;
            /** Format: date-time */
            received_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            progress: {
                /** @enum {string} */
                step: "reading" | "loading" | "checking";
                percent: number;
                bytes_read: number;
                bytes_total: number;
                features_read: number;
                rows_loaded: number;
            } | null;
            error: components["schemas"]["ErrorReport"] | null;
            /** @description Why it does not publish itself, or would not. */
            blocking: {
                code: string;
                message: string;
            }[];
            datasets: components["schemas"]["SubmissionDataset"][];
            can: {
                publish: boolean;
                withdraw: boolean;
                attach_prediction: boolean;
            };
            /** @description Where one submission is asked for. */
            manifest?: Record<string, never>;
            report?: components["schemas"]["Report"] | null;
            links: components["schemas"]["Links"];
        };
        SubmissionDataset: {
            id: number;
            technology: string;
            state: components["schemas"]["DatasetState"];
            area_km2: number | null;
            published_at: string | null;
            superseded_at: string | null;
            can_roll_back: boolean;
            /** @description What is published now of the same technology. */
            replaces: number | null;
            change: {
                compared_with: number | null;
                current: boolean;
                gained_km2: number;
                lost_km2: number;
                unchanged_km2: number;
            } | null;
        };
        /** @enum {string} */
        DatasetState: "ready" | "published" | "superseded" | "restoring" | "withdrawn";
        /** @description What was read, repaired, dropped and why. */
        Report: {
            /** @description The report as sentences. */
            text: string[];
            features: {
                read: number;
                loaded: number;
                repaired: number;
                clipped: number;
                dropped: {
                    [key: string]: number;
                };
            };
            problems: {
                /** @enum {string} */
                kind: "dropped" | "repaired" | "clipped";
                reason: string;
                text: string;
                count: number;
                /** @description At most ten. */
                examples: {
                    layer: string;
                    feature: number;
                    name?: string;
                    value?: string;
                    lat?: number;
                    lng?: number;
                }[];
            }[];
            /** @description The distinct offers, each with its area. */
            tiers: Record<string, never>[];
            warnings: {
                code?: string;
                message?: string;
            }[];
            layers: Record<string, never>[];
            rows: number;
            vertices: number;
            area_km2: number;
            /** @description west, south, east, north */
            bbox: number[] | null;
        } & {
            [key: string]: unknown;
        };
        Catalog: {
            /** @description The operator’s own; null for staff. */
            provider: {
                id: number;
                name: string;
                url: string;
                wholesale_network: string;
                description: string;
                area_served: string[];
            } | null;
            /** @description Those that may be named. */
            providers: components["schemas"]["NamedProvider"][];
            technologies: {
                name: string;
                label: string;
                set_id: number;
            }[];
            availabilities: string[];
            wholesale_networks: string[];
            speed_fields: string[];
            speed_units: string[];
            tower_fields: string[];
            /** @description The largest file that is taken in. */
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
            /** @description What the file says of itself: layers, attributes, and a manifest to begin with. */
            inspection?: {
                [key: string]: unknown;
            } | null;
            error: components["schemas"]["ErrorReport"] | null;
            /** Format: uuid */
            submission_id: string | null;
            /**
             * Format: date-time
             * @description When it is removed unless it is described.
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
            state: components["schemas"]["DatasetState"];
            area_km2: number | null;
            file_name: string;
            received_at: string;
            /** @description The last time that it became current. */
            published_at: string | null;
            superseded_at: string | null;
            can_roll_back: boolean;
            /** @enum {string} */
            processed_by: "operator" | "service";
        };
        Session: {
            /** @enum {string} */
            role: "operator" | "staff";
            /** @description Whose token it is. */
            name: string;
            provider: components["schemas"]["NamedProvider"] | null;
            /** Format: date-time */
            expires_at: string;
        };
        NamedProvider: {
            id: number;
            name: string;
        };
        AuditEvent: {
            id: number;
            /** Format: date-time */
            at: string;
            actor: {
                /** @enum {string} */
                kind: "operator" | "staff" | "command" | "service";
                name: string;
                token_id: number | null;
            };
            address: string | null;
            action: string;
            provider: string | null;
            /** Format: uuid */
            submission_id: string | null;
            dataset_id: number | null;
            details: {
                [key: string]: unknown;
            };
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
            query?: never;
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
                 * @description Latitude, from -47.5 to -34.2
                 * @example -36.9026834
                 */
                y: string;
                /**
                 * @description Longitude, from 166.2 to 178.6
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
                    /** @description The same question to version 2.0. */
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
            /** @description Not a position in the service area. */
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
                    /** @description Pages of any origin may read it. */
                    "Access-Control-Allow-Origin"?: string;
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
                status?: string;
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
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
                     * @description `true`: work on it once more, also where the same was handed in before.
                     * @enum {string}
                     */
                    again?: "true" | "false";
                };
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Of an upload.
                     */
                    file_id: string;
                    manifest: components["schemas"]["Manifest"];
                    again?: boolean;
                };
            };
        };
        responses: {
            /** @description The same was handed in before: this is that submission. */
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
            /** @description Kept; its turn comes. */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `not_same_origin`, `provider_not_yours`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {unknown} */
                        code?: "not_same_origin" | "provider_not_yours";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "content_type_unsupported";
                    };
                };
            };
            /** @description `manifest_invalid`, `technology_unknown`, `planned_date_past`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {unknown} */
                        code?: "manifest_invalid" | "technology_unknown" | "planned_date_past";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "storage_full";
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "submission_unknown";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "submission_unknown";
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
                        /** @enum {unknown} */
                        code?: "internal_error";
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
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The datasets that it is expected to replace; others: `published_meanwhile`. */
                    replaces?: number[] | null;
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "not_same_origin";
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
                        /** @enum {unknown} */
                        code?: "submission_unknown";
                    };
                };
            };
            /** @description `submission_not_ready`, `submission_superseded`, `submission_failed`, `submission_withdrawn`, `published_meanwhile`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {unknown} */
                        code?: "submission_not_ready" | "submission_superseded" | "submission_failed" | "submission_withdrawn" | "published_meanwhile";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "not_same_origin";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "submission_published" | "submission_superseded" | "submission_failed";
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
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    followSubmission: {
        parameters: {
            query?: {
                /** @description The same, for who cannot set headers */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "submission_unknown";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "submission_unknown" | "address_unknown";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "submission_unknown" | "address_unknown";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "dataset_unknown" | "address_unknown";
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
                        /** @enum {unknown} */
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
            /** @description What there is to choose from. */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "file_unknown";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "not_same_origin";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "file_already_submitted";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
                    };
                };
            };
            /** @description `not_same_origin`, `provider_not_yours`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {unknown} */
                        code?: "not_same_origin" | "provider_not_yours";
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
                        /** @enum {unknown} */
                        code?: "file_too_large";
                    };
                };
            };
            /** @description `manifest_invalid`, `technology_unknown`, `planned_date_past`. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {unknown} */
                        code?: "manifest_invalid" | "technology_unknown" | "planned_date_past";
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
                        /** @enum {unknown} */
                        code?: "internal_error";
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
                 * @description Of the upload
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "not_same_origin";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
            /** @description `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {unknown} */
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
                 * @description Of the upload
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
                    /** @description So many bytes have come. */
                    "Upload-Offset"?: string;
                    /** @description The submission that was made of it, where it came with a manifest. */
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
            /** @description `file_unknown`. */
            404: {
                headers: {
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
                 * @description Of the upload
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
            /** @description Kept. */
            204: {
                headers: {
                    /** @description So many bytes have come. */
                    "Upload-Offset"?: string;
                    /** @description The submission that was made of it, where it came with a manifest. */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "not_same_origin";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "upload_busy";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
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
                    /** @description The version that it is expected to replace. */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
                        code?: "not_same_origin";
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
                        /** @enum {unknown} */
                        code?: "dataset_unknown";
                    };
                };
            };
            /** @description `version_not_kept`, `version_not_superseded`, `published_meanwhile`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedError"] & {
                        /** @enum {unknown} */
                        code?: "version_not_kept" | "version_not_superseded" | "published_meanwhile";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_signed_in";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_same_origin";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "not_same_origin";
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
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    listWork: {
        parameters: {
            query?: never;
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "staff_only";
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
                        /** @enum {unknown} */
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
            /** @description A point a tower. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": {
                        /** @constant */
                        type: "FeatureCollection";
                        features: Record<string, never>[];
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "submission_unknown";
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
                        /** @enum {unknown} */
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
            /** @description Kept; its turn comes. */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "manifest_invalid" | "planned_date_past";
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "storage_full";
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
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
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
                        /** @enum {unknown} */
                        code?: "staff_only";
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
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
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
                        /** @description Where a style other than the built-in one is configured. */
                        basemap_style_url: string | null;
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
            /** @description They can. */
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
            /** @description They cannot, at the moment. */
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
