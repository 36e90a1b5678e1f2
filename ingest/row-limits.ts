/* What makes a row of `coverage`, for the reader, which makes most of them, and the statement that makes the others. */

/** Pieces with more vertices are subdivided. Lookups are as fast from 32 to 256; at 120 a row has less than 2 kB, and is stored in line. */
export const maxVerticesOfRow = 120;

/** In units of the projection. Straight edges are curves in degrees: 50 km by up to 40 m, segments of this length by 2 cm. */
export const maxEdgeLength = 1000;

/** In degrees. The database's `is_sliver` takes half of 1e-7 for it; beyond this, no way of rounding makes a sliver. */
export const sliverWidth = 0.51e-7;
