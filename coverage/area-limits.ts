/* Bounds of areas that people draw or send, beside nothing else: the reading process knows them, too. */

/** Of all rings, closing ones included: as many as can be proved to be valid without the database. */
export const maxVertices = 250;
export const maxRings = 20;
/** Of a submission: what a person can look through. */
export const maxProposed = 200;
