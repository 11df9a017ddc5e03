import { listFiles, readSource } from '#test/helpers/sources.ts'

/** One small fault put into one line of the code. */
export interface Mutant {
  readonly path: string
  readonly line: number
  readonly fault: string
  readonly from: string
  /** Undefined: the line is gone. */
  readonly to: string | undefined
}

/** Where in a line the bracket that `start` opens is closed; -1 if in another line. */
const closingBracket = (line: string, start: number): number => {
  let depth = 0
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '(') depth += 1
    else if (line[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

const negateCondition = (line: string): string | undefined => {
  const start = /^\s*(?:\} else )?if \(/.exec(line)?.[0].length
  if (start === undefined) return undefined
  const end = closingBracket(line, start - 1)
  return end < 0 ? undefined : `${line.slice(0, start)}!(${line.slice(start, end)})${line.slice(end)}`
}

const dropGuard = (line: string): string | undefined =>
  /^\s*if \(.*\) (?:return|throw|continue|break)\b/.test(line) && closingBracket(`(${line})`, 0) === line.length + 1
    ? ''
    : undefined

const opposites: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  true: 'false',
  false: 'true',
}

/** Replaces the first match of the pattern's group by its opposite. */
const swap =
  (pattern: RegExp) =>
  (line: string): string | undefined => {
    const [, before, operator] = pattern.exec(line) ?? []
    if (before === undefined || operator === undefined) return undefined
    return `${before}${opposites[operator]}${line.slice(before.length + operator.length)}`
  }

const changeConstant = (line: string): string | undefined => {
  const [, before, digits] = /^((?:export )?const \w+ = )(\d[\d_]*)$/.exec(line) ?? []
  return digits === undefined ? undefined : `${before}${Number(digits.replaceAll('_', '')) * 2 + 1}`
}

const forgetToWait = (line: string): string | undefined =>
  /^\s*await [\w.]*(?:insert|update|delete|remove|write|save|mark|record|store|add|set|put)\w*\(/i.test(line)
    ? line.replace('await ', 'void ')
    : undefined

const faults: Readonly<Record<string, (line: string) => string | undefined>> = {
  'negated condition': negateCondition,
  'dropped guard': dropGuard,
  'moved bound': swap(/^(.*?[\w)\]] )(<=|>=|<|>)(?= [\w('-])/),
  'swapped equality': swap(/^(.*? )(===|!==)(?= )/),
  'swapped and/or': swap(/^(.*? )(&&|\|\|)(?= )/),
  'swapped answer': swap(/^(.*\breturn )(true|false)\b/),
  'changed constant': changeConstant,
  'write nobody waits for': forgetToWait,
}

/** Each is drawn from as often as the others. */
export const layers = [
  'server/platform',
  'server/whatsapp',
  'server/identity',
  'server/messaging',
  'server/features',
  'server/web',
  'server/simulator',
  'client',
  'shared',
] as const

export const mutantsOf = (path: string, code: string): Mutant[] =>
  code.split('\n').flatMap((line, index) =>
    Object.entries(faults).flatMap(([fault, change]) => {
      const to = change(line)
      return to === undefined ? [] : [{ path, line: index + 1, fault, from: line, to: to || undefined }]
    }),
  )

/** All of a layer, by the kind of fault: the rarer kinds are drawn as often as the common ones. */
export const listMutants = (layer: string): ReadonlyMap<string, readonly Mutant[]> => {
  const all = listFiles([layer], /(?<!\.d)\.tsx?$/).flatMap(path => {
    const { code, text } = readSource(path)
    const lines = text.split('\n')
    // Lines with a comment are left alone: where it ends is not known here.
    return mutantsOf(path, code).filter(({ line, from }) => lines[line - 1] === from)
  })
  return Map.groupBy(all, ({ fault }) => fault)
}
