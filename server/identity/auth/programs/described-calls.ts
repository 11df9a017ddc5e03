import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import {
  registerPath,
  resourceMetadataPath,
  revokePath,
  serverMetadataPath,
  shortResourceMetadataPath,
  tokenPath,
} from '#shared/programs/addresses.ts'

const text = { type: 'string' }
const shared = {
  service: 'programs',
  access: 'anyone',
  refusal: { type: 'object', properties: { error: text, error_description: text }, required: ['error'] },
} as const
const form = 'application/x-www-form-urlencoded'
const refuses = [400, 401, 413, 415, 429, 500, 503]

/** The calls of programs that connect with OAuth, as the API page shows them. */
export const describedProgramCalls = {
  resource: {
    ...shared,
    name: 'protectedResource',
    method: 'GET',
    url: resourceMetadataPath,
    summary: 'Says which authorization server lets programs in to `/mcp` (RFC 9728).',
    reply: { type: 'object' },
    refuses: [429, 500, 503],
  },
  shortResource: {
    ...shared,
    name: 'protectedResourceAtRoot',
    method: 'GET',
    url: shortResourceMetadataPath,
    summary: 'The same, for programs that do not add the path.',
    reply: { type: 'object' },
    refuses: [429, 500, 503],
  },
  server: {
    ...shared,
    name: 'authorizationServer',
    method: 'GET',
    url: serverMetadataPath,
    summary: 'Addresses and abilities of the authorization server (RFC 8414).',
    reply: { type: 'object' },
    refuses: [429, 500, 503],
  },
  register: {
    ...shared,
    name: 'register',
    method: 'POST',
    url: registerPath,
    summary: 'Registers a program (RFC 7591). It gets no secret: it proves itself with PKCE.',
    body: {
      type: 'object',
      properties: { client_name: text, redirect_uris: { type: 'array', items: text } },
      required: ['redirect_uris'],
    },
    example: { body: { client_name: 'Agent', redirect_uris: ['http://127.0.0.1/callback'] } },
    reply: { type: 'object', properties: { client_id: text }, required: ['client_id'] },
    status: 201,
    refuses,
  },
  token: {
    ...shared,
    name: 'token',
    method: 'POST',
    url: tokenPath,
    summary: 'Exchanges a code or a refresh token for an access token of one hour and the next refresh token.',
    bodyType: form,
    body: {
      type: 'object',
      properties: {
        grant_type: { enum: ['authorization_code', 'refresh_token'] },
        client_id: text,
        code: text,
        redirect_uri: text,
        code_verifier: text,
        refresh_token: text,
        resource: text,
      },
      required: ['grant_type', 'client_id'],
    },
    reply: {
      type: 'object',
      properties: {
        access_token: text,
        token_type: { const: 'Bearer' },
        expires_in: { type: 'integer' },
        refresh_token: text,
        scope: text,
      },
    },
    refuses,
  },
  revoke: {
    ...shared,
    name: 'revoke',
    method: 'POST',
    url: revokePath,
    summary: 'Ends an access token, or with a refresh token the whole connection (RFC 7009).',
    bodyType: form,
    body: { type: 'object', properties: { client_id: text, token: text }, required: ['client_id', 'token'] },
    reply: { type: 'object' },
    refuses,
  },
} as const satisfies Record<string, DescribedCall>
