declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  const SwaggerUIBundle: (options: object) => unknown;
  export default SwaggerUIBundle;
}
