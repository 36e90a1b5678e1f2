const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text with what the entities of XML, and the commonest of HTML, stand for. */
export const withoutEntities = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => characters[name] as string);
