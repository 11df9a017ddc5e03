/** A bucket, its endpoint and its keys. */
export interface S3Address {
  /** Without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Prefix of all our files: empty, or with a trailing slash. */
  readonly prefix: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const form = 's3://bucket?endpoint=https://s3.example.com&region=us-east-1'
const known = ['endpoint', 'region']

const hidden = (text: string) => text.replace(/\/\/.*@/, '//…@')

const parse = (text: string): URL | undefined => {
  try {
    const url = new URL(text)
    return url.protocol === 's3:' && !url.hash && !url.port ? url : undefined
  } catch {
    return undefined
  }
}

const endpointOf = (text: string): string | undefined => {
  try {
    const { protocol, origin, pathname, search, hash, username, password } = new URL(text)
    const isBare = pathname === '/' && !search && !hash && !username && !password
    return isBare && /^https?:$/.test(protocol) ? origin : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads `MEDIA_URL` and the keys. Returns every fault with its fix; the address is valid if there is none. No fault
 * contains a key.
 */
export function readMediaUrl(
  text: string,
  keys: { readonly id: string | undefined; readonly secret: string | undefined },
): { address?: S3Address; faults: readonly string[] } {
  const url = parse(text)
  const bucket = url?.hostname ?? ''
  if (!url || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return {
      faults: [`MEDIA_URL="${hidden(text)}": use the form ${form}, or leave it unset to keep files in DATA_DIR`],
    }
  const faults: string[] = []
  if (url.username || url.password)
    faults.push('MEDIA_URL: keys do not belong into it; use AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  for (const name of new Set(url.searchParams.keys()))
    if (!known.includes(name)) faults.push(`MEDIA_URL, ${name}: there is no such setting; use ${known.join(', ')}`)
    else if (url.searchParams.getAll(name).length > 1) faults.push(`MEDIA_URL, ${name}: say it once`)

  const folder = url.pathname.replace(/^\/+|\/+$/g, '')
  if (folder && !/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(folder))
    faults.push(`MEDIA_URL, path="${folder}": use letters, digits, -, _ and . in it`)
  const region = url.searchParams.get('region') ?? undefined
  const endpointText = url.searchParams.get('endpoint') ?? undefined
  if (region !== undefined && !/^[a-z0-9-]{1,50}$/.test(region))
    faults.push(`MEDIA_URL, region="${region}": use a name like eu-west-1, or auto`)
  if (region === undefined && endpointText === undefined)
    faults.push('MEDIA_URL: add region=… for a bucket of Amazon, or endpoint=https://… of another provider')
  const endpoint = endpointText === undefined ? `https://s3.${region}.amazonaws.com` : endpointOf(endpointText)
  if (endpoint === undefined)
    faults.push(`MEDIA_URL, endpoint="${hidden(endpointText ?? '')}": use an address like https://s3.example.com`)
  for (const [name, value] of [
    ['AWS_ACCESS_KEY_ID', keys.id],
    ['AWS_SECRET_ACCESS_KEY', keys.secret],
  ] as const)
    if (!value || !/^[\x21-\x7e]+$/.test(value))
      faults.push(`${name} is needed with MEDIA_URL: set it to the bucket's key`)

  if (faults.length) return { faults }
  const address: S3Address = {
    endpoint: endpoint as string,
    region: region ?? 'us-east-1',
    bucket,
    prefix: folder && `${folder}/`,
    accessKeyId: keys.id as string,
    secretAccessKey: keys.secret as string,
  }
  return { address, faults }
}
