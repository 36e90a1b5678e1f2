/** The part of fontkit that papers use; it has no types of its own. */
declare module 'fontkit' {
  export interface Font {
    unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    layout(text: string, features?: Record<string, boolean>): { advanceWidth: number };
  }
  export function create(bytes: Uint8Array): Font;
}
