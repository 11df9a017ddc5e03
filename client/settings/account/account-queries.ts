import { queryFor } from '#client/app/queries/queries.ts'

/** The person's username and password sign-in. */
export const passwordQuery = queryFor(undefined, 'passwords.getPasswordSignIn', {})

/** The person's second factor and trusted devices. */
export const secondFactorQuery = queryFor(undefined, 'secondFactor.getSecondFactor', {})
