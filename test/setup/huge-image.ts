import { zip } from '@covermap/testing/zip.ts';

/** 8000 x 8000 pixels of one colour: a few bytes of WebP, of which a decoder needs hundreds of MB, as every row needs all others. */
const image = Buffer.from('UklGRhwAAABXRUJQVlA4TA8AAAAvP9/PBwcQ/Y/+ByKi/wEA', 'base64');
const kml = `<kml xmlns="http://www.opengis.net/kml/2.2"><GroundOverlay><Icon><href>a.webp</href></Icon><LatLonBox>
  <north>-36</north><south>-37</south><east>175</east><west>174</west></LatLonBox></GroundOverlay></kml>`;

export const hugeImage = () => zip({ 'doc.kml': Buffer.from(kml), 'a.webp': image });
