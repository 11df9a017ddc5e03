/** What somebody came in by before the second factor. */
export type FirstFactor = 'code' | 'password' | 'sso'
