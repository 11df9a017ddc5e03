import { categoryOfCodes } from '#shared/templates/words.ts'
import { emptyForm, newButton, type TemplateForm } from './form.ts'

const startKeys = ['order', 'appointment', 'payment', 'delivery', 'survey', 'code'] as const
type StartKey = (typeof startKeys)[number]

interface Words {
  readonly name: string
  readonly body: string
  readonly examples: readonly string[]
  readonly replies?: readonly string[]
}

const spanish: Readonly<Record<Exclude<StartKey, 'code'>, Words>> = {
  order: {
    name: 'pedido_listo',
    body: 'Hola {{1}}, tu pedido {{2}} ya está listo para retirar. Te esperamos hasta las {{3}} en nuestro local.',
    examples: ['Lucía', '1042', '20:00'],
    replies: ['Voy para allá', 'Paso mañana'],
  },
  appointment: {
    name: 'recordatorio_turno',
    body: 'Hola {{1}}, te recordamos tu turno del {{2}} a las {{3}} con nosotros. ¿Nos confirmás que venís?',
    examples: ['Lucía', 'lunes 4 de mayo', '10:30'],
    replies: ['Confirmo', 'Necesito cambiarlo'],
  },
  payment: {
    name: 'pago_recibido',
    body: 'Hola {{1}}, recibimos tu pago de {{2}} por el pedido {{3}}. Guardá este mensaje como comprobante. ¡Gracias!',
    examples: ['Lucía', '$ 12.500', '1042'],
  },
  delivery: {
    name: 'pedido_en_camino',
    body: 'Hola {{1}}, tu pedido {{2}} ya salió y llega hoy entre las {{3}} aproximadamente. Si no vas a estar, avisanos por acá.',
    examples: ['Lucía', '1042', '14:00 y 16:00'],
    replies: ['Voy a estar', 'No voy a estar'],
  },
  survey: {
    name: 'encuesta_entrega',
    body: 'Hola {{1}}, ayer te entregamos el pedido {{2}}. Contanos cómo llegó: nos sirve para cuidar el próximo.',
    examples: ['Lucía', '1042'],
    replies: ['Perfecto', 'Bien', 'Tuve un problema'],
  },
}

const english: typeof spanish = {
  order: {
    name: 'order_ready',
    body: 'Hi {{1}}, your order {{2}} is ready for pickup. We are open until {{3}} and look forward to seeing you.',
    examples: ['Lucy', '1042', '8 pm'],
    replies: ['On my way', "I'll come tomorrow"],
  },
  appointment: {
    name: 'appointment_reminder',
    body: 'Hi {{1}}, this is a reminder of your appointment with us on {{2}} at {{3}}. Can you confirm that you will be there?',
    examples: ['Lucy', 'Monday, May 4', '10:30 am'],
    replies: ['I confirm', 'I need another time'],
  },
  payment: {
    name: 'payment_received',
    body: 'Hi {{1}}, we have received your payment of {{2}} for order {{3}}. Keep this message as your receipt. Thank you!',
    examples: ['Lucy', '$125', '1042'],
  },
  delivery: {
    name: 'order_on_its_way',
    body: 'Hi {{1}}, your order {{2}} is on its way and will arrive today at around {{3}}. If you will be out, let us know here.',
    examples: ['Lucy', '1042', '4 pm'],
    replies: ["I'll be home", "I'll be out"],
  },
  survey: {
    name: 'delivery_survey',
    body: 'Hi {{1}}, yesterday we delivered your order {{2}}. Tell us how it went: it helps us with the next one.',
    examples: ['Lucy', '1042'],
    replies: ['Perfect', 'Fine', 'I had a problem'],
  },
}

const formFor = (words: Words, language: string): TemplateForm => ({
  ...emptyForm(language),
  name: words.name,
  body: words.body,
  examples: Object.fromEntries(words.examples.map((value, i) => [String(i + 1), value])),
  buttons: (words.replies ?? []).map(text => ({ ...newButton('QUICK_REPLY'), text })),
})

interface StartLanguage {
  /** Meta's code, such as `es_MX`: the language of most of the organization's templates. Null: there are none. */
  readonly main: string | null
  /** The language in which the person reads the interface. */
  readonly reader: string
}

/**
 * Common messages in a form that Meta approves, in the organization's main language. The person's language takes its
 * place if these messages are not written in it.
 */
export const startingPoints = ({
  main,
  reader,
}: StartLanguage): readonly { readonly key: StartKey; readonly form: TemplateForm }[] => {
  const written = main !== null && /^(?:es|en)(?:_|$)/.test(main) ? main : undefined
  const code = written ?? (reader === 'en' ? 'en' : 'es_AR')
  const isEnglish = code.startsWith('en')
  const words = isEnglish ? english : spanish
  return startKeys.map(key => ({
    key,
    form:
      key === 'code'
        ? {
            ...emptyForm(code),
            name: isEnglish ? 'access_code' : 'codigo_acceso',
            category: categoryOfCodes,
          }
        : formFor(words[key], code),
  }))
}
