type PropagationFault =
  | 'clutter_unusable'
  | 'pattern_unusable'
  | 'prediction_too_large'
  | 'propagation_parameters_invalid'
  | 'terrain_missing'
  | 'terrain_unusable';

/** Towers, terrain or parameters that cannot be used; the code tells the caller which. */
export class PropagationError extends Error {
  readonly code: PropagationFault;
  readonly hint: string | undefined;

  constructor(code: PropagationFault, message: string, hint?: string) {
    super(message);
    this.name = 'PropagationError';
    this.code = code;
    this.hint = hint;
  }
}
