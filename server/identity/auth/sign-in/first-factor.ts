/** The way in which a person signed in, before the second factor. */
export type FirstFactor = 'code' | 'password' | 'sso'
