/* What makes a row of `coverage`. */

/** Pieces with more vertices are subdivided. Lookups are as fast from 32 to 256; at 120 a row has less than 2 kB, and is stored in line. */
export const maxVerticesOfRow = 120;

/** In units of the projection. Straight edges are curves in degrees: 50 km by up to 40 m, segments of this length by 2 cm. */
export const maxEdgeLength = 1000;

/** In degrees. Half of 1e-7 makes a sliver (geometry/normalise.ts); beyond this, no way of rounding does. */
export const sliverWidth = 0.51e-7;

/** In units of the projection. A wider feature is a mistake, and cutting its edges would fill memory. */
export const maxExtent = 10_000_000;

/** Once its edges are short: 160 MB. */
export const maxVerticesOfFeature = 10_000_000;
