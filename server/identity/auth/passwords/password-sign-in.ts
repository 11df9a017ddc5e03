import type { Static } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import type { AuthAnswers } from '../calls/call.ts'
import { contextOf, type Forward } from '../calls/forward.ts'
import { SignInWithPassword } from '../calls/schemas.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { Budgets } from '../sign-in/budget.ts'
import type { Flow, Flows } from '../sign-in/flow.ts'
import type { PasswordHashing } from './password-hashing.ts'
import { findPersonByName } from './password-store.ts'

interface PasswordSignInParts {
  readonly databases: Databases
  readonly budgets: Budgets
  readonly flows: Flows
  readonly forward: Forward
  readonly hashing: PasswordHashing
}

const read = readerOf('body', SignInWithPassword)

/**
 * Sign-in by password, with username or address. An unknown name costs the same lookup and hashing as a wrong password
 * and gets the same error. A browser where the person signed in before has its own budget: strangers who use up the
 * others cannot lock the person out there, and the mailed code always works.
 */
export function createPasswordSignIn(parts: PasswordSignInParts): AuthAnswers {
  const { databases, budgets, flows, forward, hashing } = parts

  return {
    '/sign-in/username': async call => {
      const body = read(call.body) as Static<typeof SignInWithPassword>
      const name = body.username.trim().toLowerCase()
      const person = await findPersonByName(databases.read, name)
      const flow = flows.find(call.headers.get('cookie') ?? undefined, person?.email ?? name)
      const guesses =
        flow?.kind === 'known'
          ? [budgets.passwordInFlow(flow.id)]
          : [budgets.password(name, call.ip), budgets.passwordAnywhere(name)]
      const network = budgets.network(call.ip)
      await refuseExhausted(budgets, [network, ...guesses], authErrors.TOO_MANY_PASSWORDS)
      const stored = person?.username ? person.password : null
      const isRight = await hashing.verify(body.password, stored)
      if (!isRight || !person?.username) throw authErrors.INVALID_USERNAME_OR_PASSWORD()
      const signIn = { username: person.username, password: body.password }
      const reply = await forward(call, contextOf(call), signIn)
      await budgets.giveBack([...guesses, network])
      const known: Flow = { id: flow?.id ?? flows.create().id, kind: 'known' }
      reply.headers.append('set-cookie', flows.cookieOf(known, person.email))
      return reply
    },
  }
}
