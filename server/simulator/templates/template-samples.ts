import type { Db } from '#server/platform/db/database.ts'
import { newGraphId } from '#server/whatsapp/serving/ids.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import { hasAnyTemplate, insertTemplate } from './template-store.ts'

interface Sample {
  readonly name: string
  readonly language: string
  readonly category: string
  readonly components: TemplateComponent[]
}

/** Meta gives a new account the first one; the others are for trying out. */
const samples: readonly Sample[] = [
  {
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      {
        type: 'BODY',
        text: 'Welcome and congratulations!! This message demonstrates your ability to send a WhatsApp message notification from the Cloud API, hosted by Meta. Thank you for taking the time to test with us.',
      },
      { type: 'FOOTER', text: 'WhatsApp Business Platform sample message' },
    ],
  },
  {
    name: 'pedido_listo',
    language: 'es_AR',
    category: 'UTILITY',
    components: [
      {
        type: 'BODY',
        text: 'Hola {{1}}, tu pedido {{2}} ya está listo para retirar. ¡Te esperamos!',
        example: { body_text: [['Ana', '1042']] },
      },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Voy para allá' },
          { type: 'QUICK_REPLY', text: 'Mañana paso' },
        ],
      },
    ],
  },
  {
    name: 'recordatorio_turno',
    language: 'es_AR',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Tu turno' },
      {
        type: 'BODY',
        text: 'Hola {{1}}, te recordamos tu turno del {{2}} a las {{3}} en nuestro local. Respondé este mensaje si no podés venir.',
        example: { body_text: [['Ana', 'lunes 4', '10:30']] },
      },
      { type: 'FOOTER', text: 'Gracias por avisar con tiempo' },
    ],
  },
]

/** Adds approved samples to an account that never had a template. */
export async function ensureSamples(trx: Db, orgId: string, nowMs: number): Promise<void> {
  if (await hasAnyTemplate(trx, orgId)) return
  for (const sample of samples)
    await insertTemplate(trx, {
      id: newGraphId(16),
      orgId,
      ...sample,
      status: 'APPROVED',
      previousCategory: null,
      parameterFormat: 'POSITIONAL',
      quality: 'UNKNOWN',
      rejectedReason: 'NONE',
      ttlSeconds: null,
      pauses: 0,
      editsMs: [],
      reviewMs: null,
      createdMs: nowMs,
    })
}
