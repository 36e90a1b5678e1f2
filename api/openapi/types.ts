import type { Config } from '../../platform/config.ts';
import type { Method } from '../define-route.ts';

/* The parts of OpenAPI 3.1 in the API's description. */

/** JSON Schema, draft 2020-12. */
export type Schema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
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

/** Stands in place of a component: `#/components/responses/not_signed_in`. */
export interface Reference {
  $ref: string;
}

export interface Operation<Response = Answer> {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  deprecated?: boolean;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, Response>;
}

export type { Method };
export type PathItem<Response = Answer> = Partial<Record<Method, Operation<Response>>>;

/** The callers of an operation, and the owners of the things that its parameters name. */
export interface Access {
  who: ('anyone' | 'registrar' | 'monitor' | 'key' | 'session' | 'operator' | 'staff' | 'customer')[];
  things: Record<string, { what: string; owner: 'operator' | 'customer' | 'nobody' }>;
}

/** The settings that the description names. */
export type DescribedLimits = Pick<Config, 'serviceArea' | 'uploadLimitBytes' | 'registryMaxNames'>;

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: object;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem<Answer | Reference>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Answer>;
    securitySchemes: Record<string, object>;
  };
}
