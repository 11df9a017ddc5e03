import t from 'tap'
import {
  blocksAccount,
  connectRefusalOf,
  failsAgain,
  isMissingTemplate,
  limitsWholeNumber,
  mayKnowOtherSpelling,
  templateRefusalOf,
  tokenRefusedCode,
} from '#server/whatsapp/errors/code-meanings.ts'
import { catalogue } from '#server/whatsapp/errors/error-catalogue.ts'

t.test('codes that limit the whole number are retried later, codes that would fail again are not', async t => {
  const codes = [...catalogue]
  for (const [code, { retry }] of codes.filter(([code]) => limitsWholeNumber(code))) t.equal(retry, 'later', code)
  for (const [code, { retry }] of codes.filter(([code]) => failsAgain(code))) t.equal(retry, 'never', code)
  t.ok(codes.some(([code]) => limitsWholeNumber(code)) && codes.some(([code]) => failsAgain(code)))
  t.notOk(limitsWholeNumber('131056'), 'a limit for one customer does not affect others')
})

t.test('another spelling is tried only if nothing was delivered', async t => {
  t.ok(mayKnowOtherSpelling('131030', false))
  t.ok(mayKnowOtherSpelling('131026', true))
  t.notOk(mayKnowOtherSpelling('131026', false), 'a number that worked gets no other spelling')
})

t.test('a refusal has a reason where Meta gives one', async t => {
  t.equal(connectRefusalOf(tokenRefusedCode), 'TOKEN_REFUSED')
  t.equal(connectRefusalOf('230'), 'PERMISSION_MISSING', 'the whole range of permissions')
  t.equal(connectRefusalOf('TIMEOUT'), undefined)
  t.equal(templateRefusalOf('2388024'), 'EXISTS')
  t.equal(templateRefusalOf(undefined), undefined)
  t.ok(isMissingTemplate('33'))
  t.notOk(isMissingTemplate(undefined))
  t.ok(blocksAccount('368'))
  t.notOk(blocksAccount('190'))
})
