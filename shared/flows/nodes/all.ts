import { buttons, buttonsFields } from './buttons.ts'
import { close, closeFields } from './close.ts'
import { condition, conditionFields } from './condition.ts'
import { end, endFields } from './end.ts'
import { goto, gotoFields } from './goto.ts'
import { handoff, handoffFields } from './handoff.ts'
import { http, httpFields } from './http.ts'
import { message, messageFields } from './message.ts'
import { question, questionFields } from './question.ts'
import { set, setFields } from './set.ts'
import { split, splitFields } from './split.ts'
import { start, startFields } from './start.ts'
import { subflow, subflowFields } from './subflow.ts'
import { tag, tagFields } from './tag.ts'
import { template, templateFields } from './template.ts'
import { wait, waitFields } from './wait.ts'

/** Every kind of node, in the order in which the editor lists them. */
export const nodeKinds = {
  start,
  message,
  template,
  question,
  buttons,
  condition,
  split,
  set,
  tag,
  wait,
  http,
  goto,
  subflow,
  handoff,
  close,
  end,
}

/** The schema of the `data` of each kind. Separate from `nodeKinds`, so that browsers do not load the schemas. */
export const nodeFields = {
  start: startFields,
  message: messageFields,
  template: templateFields,
  question: questionFields,
  buttons: buttonsFields,
  condition: conditionFields,
  split: splitFields,
  set: setFields,
  tag: tagFields,
  wait: waitFields,
  http: httpFields,
  goto: gotoFields,
  subflow: subflowFields,
  handoff: handoffFields,
  close: closeFields,
  end: endFields,
} satisfies Record<keyof typeof nodeKinds, object>
