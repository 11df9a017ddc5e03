import { queryFor } from '../app/queries.ts'

/** How a person signs in beside the code by mail. */
export const passwordQuery = queryFor(undefined, 'passwords.getPasswordSignIn', {})

/** Their second factor, with the devices that need none. */
export const secondFactorQuery = queryFor(undefined, 'secondFactor.getSecondFactor', {})
