import type { Static } from 'typebox'
import { appErrors } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import type { SecondStepWay } from '#shared/auth/second-factor.ts'
import type { AuthAnswer, AuthAnswers, AuthCall } from '../calls/call.ts'
import { EnableSecondFactor, Nothing, ProveSecondFactor, VerifySecondStep } from '../calls/schemas.ts'
import type { SecondFactorSetup } from './second-factor.ts'
import type { SecondStep } from './second-step.ts'

const readEnable = readerOf('body', EnableSecondFactor)
const readProof = readerOf('body', ProveSecondFactor)
const readVerify = readerOf('body', VerifySecondStep)
const readNothing = readerOf('body', Nothing)

const answerWith = (body: object, cookies: readonly string[] = []): Response => {
  const answer = Response.json(body, { headers: { 'cache-control': 'no-store' } })
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}

const personOf = ({ person }: AuthCall) => {
  if (!person) throw appErrors.SIGN_IN_REQUIRED()
  return person
}

/**
 * Answers the paths of better-auth's two-factor plugin ourselves: the plugin asks for no second factor after a mailed
 * code, accepts a code of the app twice, and does not limit wrong codes per person.
 */
export function createSecondFactorCalls({
  setup,
  secondStep,
}: {
  readonly setup: SecondFactorSetup
  readonly secondStep: SecondStep
}): AuthAnswers {
  const finishBy =
    (way: SecondStepWay): AuthAnswer =>
    async call => {
      const person = personOf(call)
      const { code, trustDevice = false } = readVerify(call.body) as Static<typeof VerifySecondStep>
      const userAgent = call.headers.get('user-agent')
      return answerWith(
        { success: true },
        await secondStep.finish(person, { way, code, trustDevice, ip: call.ip, userAgent }),
      )
    }
  const finishByApp = finishBy('app')

  return {
    '/two-factor/enable': async call =>
      answerWith(await setup.begin(personOf(call), readEnable(call.body) as Static<typeof EnableSecondFactor>)),
    '/two-factor/disable': async call => {
      const { secondCode } = readProof(call.body) as Static<typeof ProveSecondFactor>
      await setup.remove(personOf(call), secondCode, call.language)
      return answerWith({ success: true })
    },
    '/two-factor/generate-backup-codes': async call => {
      const { secondCode } = readProof(call.body) as Static<typeof ProveSecondFactor>
      return answerWith(await setup.renewBackupCodes(personOf(call), secondCode))
    },
    '/two-factor/send-otp': async call => {
      readNothing(call.body)
      await secondStep.sendCode(personOf(call))
      return answerWith({ success: true })
    },
    // Finishes a sign-in. For a person who is already signed in, confirms the app that was just set up.
    '/two-factor/verify-totp': async call => {
      const person = personOf(call)
      if (person.secondFactorMissing) return finishByApp(call)
      const { code } = readVerify(call.body) as Static<typeof VerifySecondStep>
      return answerWith({ success: true, ...(await setup.confirm(person, code)) })
    },
    '/two-factor/verify-otp': finishBy('mail'),
    '/two-factor/verify-backup-code': finishBy('backup'),
  }
}
