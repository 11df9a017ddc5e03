import type { Db } from '#server/platform/db/database.ts'
import { asList, asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { readFields } from '#server/whatsapp/serving/fields.ts'
import { paramError } from '#server/whatsapp/serving/graph-error.ts'
import { type AddressFacts, mediaInfo } from '../media/media.ts'
import { insertMedia } from '../media/media-store.ts'
import { findPictureUpload } from '../media/upload-store.ts'
import { type SandboxNumber, updateNumber } from '../numbers/number-store.ts'

const limits = { about: 139, address: 256, description: 512, email: 128 } as const
const maxWebsites = 2
const websiteChars = 256
/** The lifetime of a picture's address, longer than a number exists. */
const pictureMs = 10 * 365 * 86_400_000

const verticals = [
  'OTHER',
  'AUTO',
  'BEAUTY',
  'APPAREL',
  'EDU',
  'ENTERTAIN',
  'EVENT_PLAN',
  'FINANCE',
  'GROCERY',
  'GOVT',
  'HOTEL',
  'HEALTH',
  'NONPROFIT',
  'PROF_SERVICES',
  'RETAIL',
  'TRAVEL',
  'RESTAURANT',
  'ALCOHOL',
  'ONLINE_GAMBLING',
  'PHYSICAL_GAMBLING',
  'OTC_DRUGS',
]

const readStored = (number: SandboxNumber): Json => asObject(JSON.parse(number.profile)) ?? {}

/** The profile as Meta returns it. @see Meta, "Business phone numbers" */
export async function profileNode(db: Db, number: SandboxNumber, query: Json, facts: AddressFacts): Promise<Json> {
  const { picture, ...profile } = readStored(number)
  const asked = readFields(query.fields) ?? []
  const id = asText(picture)
  const info = id && asked.includes('profile_picture_url') ? await pictureOf(db, number, id, facts) : undefined
  const all: Json = { ...profile, ...(info ? { profile_picture_url: info } : {}) }
  return {
    data: [
      {
        ...Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name))),
        messaging_product: 'whatsapp',
      },
    ],
  }
}

/** Undefined if the file was deleted when the simulator was emptied. */
const pictureOf = async (db: Db, number: SandboxNumber, id: string, facts: AddressFacts) => {
  try {
    return (await mediaInfo(db, number, id, { ...facts, phoneNumberId: undefined })).url
  } catch {
    return undefined
  }
}

const textsOf = (body: Json): Record<string, string> => {
  const texts: Record<string, string> = {}
  for (const [name, most] of Object.entries(limits)) {
    if (body[name] === undefined) continue
    const text = typeof body[name] === 'string' ? body[name] : undefined
    if (text === undefined || [...text].length > most) throw paramError(`Param ${name} must be at most ${most} long.`)
    if (name === 'about' && text === '') throw paramError('Param about must be at least 1 characters long.')
    if (name === 'email' && text !== '' && !/^\S+@\S+\.\S+$/.test(text)) throw paramError('Param email is not valid.')
    texts[name] = text
  }
  return texts
}

const websitesOf = (body: Json): { websites?: string[] } => {
  if (body.websites === undefined) return {}
  const websites = asList(body.websites).map(one => asText(one) ?? '')
  const fits = websites.every(one => one.length <= websiteChars && /^https?:\/\//i.test(one) && URL.canParse(one))
  if (!fits || websites.length > maxWebsites) throw paramError('Param websites must be at most 2 URLs.')
  return { websites }
}

/** @throws GraphError 100 for values that Meta rejects */
export async function changeProfile(trx: Db, number: SandboxNumber, body: Json, nowMs: number): Promise<Json> {
  if (body.messaging_product !== 'whatsapp') throw paramError('The parameter messaging_product is required.')
  const vertical = asText(body.vertical)
  if (vertical !== undefined && !verticals.includes(vertical))
    throw paramError(`Param vertical must be one of {${verticals.join(', ')}} - got "${vertical}".`)
  const handle = asText(body.profile_picture_handle)
  const upload = handle === undefined ? undefined : await findPictureUpload(trx, number.orgId, handle)
  if (handle !== undefined && !upload?.bytes) throw paramError('Param profile_picture_handle is not valid.')
  const media =
    upload?.bytes &&
    (await insertMedia(trx, number.orgId, {
      mime: upload.mime,
      name: null,
      bytes: upload.bytes,
      expiresMs: nowMs + pictureMs,
    }))
  const profile = {
    ...readStored(number),
    ...textsOf(body),
    ...websitesOf(body),
    ...(vertical === undefined ? {} : { vertical }),
    ...(media ? { picture: media.id } : {}),
  }
  await updateNumber(trx, number.orgId, { profile: JSON.stringify(profile) })
  return { success: true }
}
