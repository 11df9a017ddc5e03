import { mcpPath } from '#shared/mcp/address.ts'

/** The page on which a person lets a program in. */
export const authorizePath = '/oauth/authorize'
export const tokenPath = '/oauth/token'
export const registerPath = '/oauth/register'
export const revokePath = '/oauth/revoke'

/** @see RFC 8414 */
export const serverMetadataPath = '/.well-known/oauth-authorization-server'
/** The metadata of the resource at `mcpPath`. @see RFC 9728 §3.1 */
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${mcpPath}`
export const shortResourceMetadataPath = '/.well-known/oauth-protected-resource'
