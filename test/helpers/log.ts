import type { Log } from '#server/platform/log/log.ts'

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  facts: Record<string, unknown>
  text: string
}

/** A log that keeps its lines. A test that expects no errors asserts `t.same(lines('error'), [])`. */
export interface KeptLog extends Log {
  lines(level?: LogLine['level']): LogLine[]
}

export function keptLog(): KeptLog {
  const kept: LogLine[] = []
  const at = (level: LogLine['level']) => (facts: unknown, text?: string) => {
    const isText = typeof facts === 'string'
    kept.push({ level, facts: isText ? {} : (facts as Record<string, unknown>), text: isText ? facts : (text ?? '') })
  }
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  return {
    ...log,
    child: () => log,
    lines: (level?: LogLine['level']) => kept.filter(line => !level || line.level === level),
  } as unknown as KeptLog
}
