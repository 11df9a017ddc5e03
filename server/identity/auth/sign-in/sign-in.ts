import type { Static } from 'typebox'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import type { Log } from '#server/platform/log/log.ts'
import { maskAddress } from '#server/platform/mail/mail.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { hasUserWithEmail } from '../accounts/account-store.ts'
import type { AuthAnswers, AuthCall } from '../calls/call.ts'
import type { CallContext } from '../calls/call-context.ts'
import { contextOf, type Forward } from '../calls/forward.ts'
import { SendCode, SignIn } from '../calls/schemas.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { Budget, Budgets } from './budget.ts'
import { codeIdentifier, createCodeHash } from './code.ts'
import type { Flow, Flows } from './flow.ts'
import { deleteNewestCode, listCodes, listFlows, saveFlow } from './flow-store.ts'
import type { SignUpPolicy } from './policy.ts'

interface SignInParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly secret: string
  readonly policy: SignUpPolicy
  readonly budgets: Budgets
  readonly flows: Flows
  readonly forward: Forward
}

const readSendCode = readerOf('body', SendCode)
const readSignIn = readerOf('body', SignIn)
const plainEmail = (value: string) => value.trim().toLowerCase()
/** Codes are valid for ten minutes; for an hour a late one is still answered with "expired" instead of "wrong". */
const rememberedMs = 60 * 60_000
/** No flow has this id, so no code is found. */
const noFlow = 'none'

const withCookie = (reply: Response, cookie: string): Response => {
  reply.headers.append('set-cookie', cookie)
  return reply
}

/**
 * Sign-in by a mailed code. Codes and tries belong to the browser that asked, identified by a cookie, so that nobody
 * else can use up its tries or invalidate its code. Programs without cookies are distinguished by network.
 */
export function createSignIn(parts: SignInParts): AuthAnswers {
  const { databases, clock, log, policy, budgets, flows, forward } = parts
  const codeHash = createCodeHash(parts.secret)

  const findFlow = (call: AuthCall, address: string) => flows.find(call.headers.get('cookie') ?? undefined, address)

  const sendBudgets = (flow: Flow, address: string, ip: string): Budget[] =>
    flow.kind === 'known'
      ? [budgets.sendToKnown(flow.id)]
      : [budgets.send(address, ip), budgets.sendAnywhere(address), budgets.sendPerDay(address)]

  /** Finds the flow of a code that comes without the flow's cookie. A wrong code uses up no flow's tries. */
  const findAsker = async (address: string, ip: string, code: string) => {
    const asked = await listFlows(databases.read, budgets.addressKey(address), isoIn(clock, -rememberedMs))
    const codes = await listCodes(
      databases.read,
      asked.map(({ id }) => codeIdentifier(address, id)),
    )
    const right = new Set(codes.filter(row => row.value.startsWith(`${codeHash(code)}:`)).map(row => row.identifier))
    const networkKey = budgets.networkKey(ip)
    return {
      flowId: asked.find(({ id }) => right.has(codeIdentifier(address, id)))?.id ?? noFlow,
      isOwnNetwork: asked.some(one => one.networkKey === networkKey),
    }
  }

  /** The flow that the code is checked in, and the budgets that a try takes from. */
  const attemptOf = async (call: AuthCall, address: string, code: string) => {
    const flow = findFlow(call, address)
    if (flow) return { flow, flowId: flow.id, guesses: [budgets.guessInFlow(flow.id)] }
    const { flowId, isOwnNetwork } = await findAsker(address, call.ip, code)
    const fromHere = budgets.guess(address, call.ip)
    return { flow, flowId, guesses: isOwnNetwork ? [fromHere] : [fromHere, budgets.guessAnywhere(address)] }
  }

  return {
    '/email-otp/send-verification-otp': async call => {
      const body = readSendCode(call.body) as Static<typeof SendCode>
      const address = plainEmail(body.email)
      const flow = findFlow(call, address) ?? flows.create()
      const sends = sendBudgets(flow, address, call.ip)
      await refuseExhausted(budgets, [budgets.network(call.ip), ...sends], authErrors.TOO_MANY_CODES)
      const at = isoNow(clock)
      const asked = { addressKey: budgets.addressKey(address), networkKey: budgets.networkKey(call.ip), at }
      await saveFlow(databases.write, { id: flow.id, ...asked })
      // An address that is not admitted takes the same path, with a stored code, so that its timing does not differ.
      const deliver = (await hasUserWithEmail(databases.read, address)) || (await policy.maySignUp(address))
      const context: CallContext = { language: call.language, deliver, codeFlow: flow.id }
      const reply = withCookie(
        await forward(call, context, { email: address, type: body.type }),
        flows.cookieOf(flow, address),
      )
      if (context.mailFailure === undefined) return reply
      if (context.mailFailure instanceof AppError && context.mailFailure.code === 'MAIL_RECIPIENT_REFUSED') {
        // An error would reveal that the address belongs to somebody here.
        log.warn({ to: maskAddress(address) }, 'the mail server rejects this address')
        return reply
      }
      await budgets.giveBack(sends)
      await inTransaction(databases, trx => deleteNewestCode(trx, codeIdentifier(address, flow.id)))
      throw context.mailFailure
    },

    '/sign-in/email-otp': async call => {
      const body = readSignIn(call.body) as Static<typeof SignIn>
      const address = plainEmail(body.email)
      const otp = body.otp.replace(/\s/g, '')
      const { flow, flowId, guesses } = await attemptOf(call, address, otp)
      const network = budgets.network(call.ip)
      await refuseExhausted(budgets, [network, ...guesses], authErrors.TOO_MANY_GUESSES)
      const context: CallContext = { ...contextOf(call), codeFlow: flowId }
      const reply = await forward(call, context, { email: address, otp, name: body.name })
      // Returned twice, for sending the code and for this call: many people of one office signing in at nine is not an
      // attack.
      await budgets.giveBack([...guesses, network, network])
      const known: Flow = { id: flow?.id ?? flows.create().id, kind: 'known' }
      for (const kind of ['asked', 'known'] as const)
        for (const budget of sendBudgets({ ...known, kind }, address, call.ip)) await budgets.clear(budget)
      return withCookie(reply, flows.cookieOf(known, address))
    },
  }
}
