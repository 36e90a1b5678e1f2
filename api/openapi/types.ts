/* The parts of an OpenAPI 3.1 description that ours has. */

/** JSON Schema, draft 2020-12. */
export interface Schema {
  [keyword: string]: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
  style?: string;
  explode?: boolean;
}

export interface Content {
  schema: Schema;
  example?: unknown;
}

export interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: Schema }>;
  content?: Record<string, Content>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  deprecated?: boolean;
  /** Empty: nobody has to say who they are. */
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; description?: string; content: Record<string, Content> };
  responses: Record<string, Answer>;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head';
export type PathItem = Partial<Record<Method, Operation>>;

/** Who may ask for an operation, and whose the things are that its parameters name. */
export interface Access {
  who: ('anyone' | 'registrar' | 'key' | 'session' | 'operator' | 'staff' | 'customer')[];
  things: Record<string, { what: string; owner: 'operator' | 'customer' | 'nobody' }>;
}

/** The settings that show in the description. */
export interface DescribedLimits {
  serviceArea: { south: number; west: number; north: number; east: number };
  uploadLimitBytes: number;
  registryMaxNames: number;
}

/** An OpenAPI 3.1 description. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: object;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}
