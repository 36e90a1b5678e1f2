import { readerDropReasons } from '@covermap/coverage-files/format.ts';

/** Reasons why a feature is not in the result: "3 features ...". */
export const dropReasons = {
  ...readerDropReasons,
  sliver: 'narrower than a centimetre',
  duplicate: 'repeating an earlier one',
  no_coverage: 'of a class or value that is no coverage',
  value_not_listed: 'with a value that the manifest does not list',
  technology_unknown: 'with a technology that is not known',
  availability_unknown: 'with an availability that is not known',
  speed_not_a_number: 'with a speed that is not a number',
  speed_out_of_range: 'with a speed that is too high, or a minimum above its maximum',
  no_speed: 'of 0 Mbps in both directions, which is no coverage',
  not_on_earth: 'with impossible longitudes or latitudes',
  outside_service_area: 'outside the service area',
  not_repairable: 'with geometry that could not be repaired',
  not_in_time: 'with geometry, or next to geometry, that takes too long to load',
  crosses_itself_too_often: 'whose outline crosses itself too often to be coverage',
};

export type DropReason = keyof typeof dropReasons;
