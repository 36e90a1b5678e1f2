declare module '*.md' {
  const page: import('../build/markdown.ts').Page;
  export default page;
}
