import type { Map as LibreMap } from 'maplibre-gl';

/* Patterns beside the colours, for eyes to which colours say little. */

export type Pattern = 'stripes' | 'dots' | 'stripes-back' | 'rows' | 'columns';

const size = 16;

/** Puts a pattern into the map's images, or replaces the one of that name. */
export function setPattern(map: LibreMap, name: string, pattern: Pattern, colour: string): void {
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) return;
  draw(context, pattern, colour);
  const image = context.getImageData(0, 0, size, size);
  if (map.hasImage(name)) map.updateImage(name, image);
  else map.addImage(name, image, { pixelRatio: 2 });
}

function draw(context: CanvasRenderingContext2D, pattern: Pattern, colour: string): void {
  context.strokeStyle = colour;
  context.fillStyle = colour;
  if (pattern === 'stripes' || pattern === 'stripes-back') {
    const [from, to] = pattern === 'stripes' ? [size + 2, -2] : [-2, size + 2];
    context.lineWidth = 2.5;
    // Drawn beyond the edges, so that the pieces join.
    for (const offset of [-size, 0, size]) {
      context.beginPath();
      context.moveTo(offset - 2, from);
      context.lineTo(offset + size + 2, to);
      context.stroke();
    }
  } else {
    for (const at of [4, 12]) {
      if (pattern === 'rows') context.fillRect(0, at - 1, size, 2);
      else if (pattern === 'columns') context.fillRect(at - 1, 0, 2, size);
      else {
        context.beginPath();
        context.arc(at, at, 1.75, 0, 2 * Math.PI);
        context.fill();
      }
    }
  }
}
