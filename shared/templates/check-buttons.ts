import { isWebAddress } from '#shared/kernel/web-address.ts'
import { checkFixed, checkLength, exampleFault, hasBraces } from './check-text.ts'
import { buttonTypes, templateLimits as limits, otpTypes } from './components.ts'
import { asRecord, asText, type Loose, type Report } from './fault.ts'
import { characterCount, isVariableName, variablesIn } from './variables.ts'
import type { ParameterFormat } from './words.ts'

type Check = (button: Loose, report: Report, format: ParameterFormat) => void

const emoji = /(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u

/** Meta: no variables, line breaks, emoji or formatting in button labels. */
const label: Check = (button, report) => {
  checkFixed(button, 'text', limits.buttonText, report)
  const text = asText(button.text) ?? ''
  if (emoji.test(text)) report('text', 'labelEmoji')
  else if (/[*_~`]/.test(text)) report('text', 'labelMarks')
}
/** WhatsApp sets a label if there is none. */
const ownLabel: Check = (button, report) => {
  if (button.text !== undefined) label(button, report, 'POSITIONAL')
}

const exampleOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

const url: Check = (button, report, format) => {
  label(button, report, format)
  const address = checkLength(button, 'url', limits.url, report)
  if (address === undefined) return
  const [variable, second] = variablesIn(address)
  const end = variable ? address.slice(variable.to) : ''
  if (second || end !== '') return report('url', 'urlVariableAtEnd')
  const base = variable ? address.slice(0, variable.from) : address
  if (hasBraces(base)) return report('url', 'variableMalformed', { sample: '{{1}}' })
  if (!isWebAddress(base)) return report('url', 'urlInvalid')
  if (!variable) return
  const fits = format === 'NAMED' ? isVariableName(variable.name) || variable.name === '1' : variable.name === '1'
  if (!fits)
    return report('url', format === 'NAMED' ? 'variableName' : 'variableNumber', { name: variable.name.slice(0, 40) })
  const example = exampleOf(button.example)
  const fault = exampleFault(example)
  if (fault) return report('example.0', fault, { name: variable.name })
  if (characterCount(String(example)) > limits.url)
    report('example.0', 'tooLong', { max: limits.url, length: characterCount(String(example)) })
}

const phone: Check = (button, report, format) => {
  label(button, report, format)
  const number = checkLength(button, 'phone_number', limits.phoneNumber, report)
  if (number !== undefined && !/^\+?[0-9][0-9 ()-]{5,}$/.test(number)) report('phone_number', 'phoneInvalid')
}

const copyCode: Check = (button, report, format) => {
  ownLabel(button, report, format)
  const code = asText(exampleOf(button.example))
  if (code === undefined || code.trim() === '') return report('example', 'exampleRequired', { name: 'code' })
  if (characterCount(code) > limits.copyCode)
    return report('example', 'tooLong', { max: limits.copyCode, length: characterCount(code) })
  if (!/^[\p{L}\p{N}_-]+$/u.test(code)) report('example', 'codeCharacters')
}

const flow: Check = (button, report, format) => {
  label(button, report, format)
  const named = ['flow_id', 'flow_name', 'flow_json'].filter(key => asText(button[key])?.trim())
  if (named.length !== 1) report('flow_id', 'flowRequired')
  const action = button.flow_action
  if (action !== undefined && !['navigate', 'data_exchange'].includes(String(action).toLowerCase()))
    report('flow_action', 'unknownValue')
}

const apps: Check = (button, report) => {
  const list: readonly unknown[] = Array.isArray(button.supported_apps) ? button.supported_apps : []
  if (!list.length) return report('supported_apps', 'appsRequired')
  if (list.length > limits.supportedApps) return report('supported_apps', 'tooMany', { max: limits.supportedApps })
  for (const [i, one] of list.entries()) {
    const app = asRecord(one) ?? {}
    if (!/^[A-Za-z][\w]*(\.[A-Za-z][\w]*)+$/.test(asText(app.package_name) ?? ''))
      report(`supported_apps.${i}.package_name`, 'packageInvalid')
    if (!/^[A-Za-z0-9+/=]{11}$/.test(asText(app.signature_hash) ?? ''))
      report(`supported_apps.${i}.signature_hash`, 'hashInvalid')
  }
}

const otp: Check = (button, report, format) => {
  const type = button.otp_type
  if (!(otpTypes as readonly unknown[]).includes(type)) return report('otp_type', 'unknownValue')
  ownLabel(button, report, format)
  if (button.autofill_text !== undefined) checkFixed(button, 'autofill_text', limits.buttonText, report)
  if (type === 'COPY_CODE') return
  apps(button, report, format)
  if (type === 'ZERO_TAP' && button.zero_tap_terms_accepted !== true) report('zero_tap_terms_accepted', 'termsRequired')
}

const checks: Readonly<Record<string, Check>> = {
  QUICK_REPLY: label,
  URL: url,
  PHONE_NUMBER: phone,
  COPY_CODE: copyCode,
  FLOW: flow,
  OTP: otp,
  CATALOG: ownLabel,
  MPM: ownLabel,
  SPM: ownLabel,
  ORDER_DETAILS: ownLabel,
  VOICE_CALL: label,
  REQUEST_CONTACT_INFO: ownLabel,
}

/** Buttons of a kind per template. Others: one. */
const most: Readonly<Record<string, number>> = { QUICK_REPLY: limits.quickReplies, URL: limits.urls }

const checkCounts = (types: readonly string[], report: Report) => {
  for (const type of new Set(types)) {
    const max = most[type] ?? 1
    const indexes = types.flatMap((one, i) => (one === type ? [i] : []))
    if (indexes.length > max) report(`buttons.${indexes[max]}.type`, 'tooManyOfKind', { max })
  }
  const quick = types.flatMap((type, i) => (type === 'QUICK_REPLY' ? [i] : []))
  const isApart = quick.some((at, i) => i > 0 && at !== (quick[i - 1] as number) + 1)
  const isBetween = quick.length > 0 && quick[0] !== 0 && quick.at(-1) !== types.length - 1
  if (isApart || isBetween) report('buttons', 'quickRepliesApart')
}

/** Checks a group of buttons. `types`: allowed ones. */
export const checkButtons = (
  component: Loose,
  options: { format: ParameterFormat; max: number; types: readonly string[] },
  report: Report,
) => {
  const buttons: readonly unknown[] = Array.isArray(component.buttons) ? component.buttons : []
  if (!buttons.length) return report('buttons', 'required')
  if (buttons.length > options.max) return report('buttons', 'tooMany', { max: options.max })
  const types = buttons.map(one => asText(asRecord(one)?.type) ?? '')
  for (const [i, one] of buttons.entries()) {
    const type = types[i] as string
    const check = Object.hasOwn(checks, type) ? checks[type] : undefined
    if (!check || !(buttonTypes as readonly string[]).includes(type)) report(`buttons.${i}.type`, 'buttonUnknown')
    else if (!options.types.includes(type)) report(`buttons.${i}.type`, 'buttonNotHere')
    else
      check(
        asRecord(one) as Loose,
        (field, code, params) => report(`buttons.${i}.${field}`, code, params),
        options.format,
      )
  }
  checkCounts(types, report)
}
