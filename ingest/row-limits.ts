/* What makes a row of `coverage`, for the reader, which makes most of them, and the statement that makes the others. */

/**
 * Pieces of more vertices are subdivided. Lookups are about as fast from 32 to 256, and subdividing is costly; 120 keeps a row
 * below the 2 kB from which PostgreSQL stores it out of line.
 */
export const maxVerticesOfRow = 120;

/**
 * In units of the projection. A straight edge of 50 km is curved in degrees by up to 40 m; segments of this length are off by
 * less than 2 cm.
 */
export const maxEdgeLength = 1000;

/** In degrees. The database's `is_sliver` takes half of 1e-7 for it; beyond this, no way of rounding makes a sliver. */
export const sliverWidth = 0.51e-7;
