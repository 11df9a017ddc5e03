import t from 'tap'
import { readMediaUrl } from '#server/platform/storage/s3-address.ts'

const keys = { id: 'AKID', secret: 'very-secret' }

t.test('an address names bucket, folder, server and region', async t => {
  t.strictSame(readMediaUrl('s3://files/recado/one?endpoint=http://127.0.0.1:9000/&region=auto', keys).address, {
    endpoint: 'http://127.0.0.1:9000',
    region: 'auto',
    bucket: 'files',
    prefix: 'recado/one/',
    accessKeyId: 'AKID',
    secretAccessKey: 'very-secret',
  })
  t.match(readMediaUrl('s3://files?region=eu-west-1', keys).address, {
    endpoint: 'https://s3.eu-west-1.amazonaws.com',
    prefix: '',
  })
})

t.test('every fault is reported with its fix, and without a key', async t => {
  for (const [url, says] of [
    ['/srv/media', /use the form s3:/],
    ['https://files', /use the form s3:/],
    ['s3://', /use the form s3:/],
    ['s3://Files_x?region=eu-west-1', /use the form s3:/],
    ['s3://files', /add region=/],
    ['s3://id:very-secret@files?region=eu-west-1', /keys do not belong into it/],
    ['s3://files?region=a&region=b', /say it once/],
    ['s3://files?region=eu-west-1&acl=public', /acl: there is no such setting/],
    ['s3://files?region=E%20U', /use a name like eu-west-1/],
    ['s3://files?endpoint=s3.example.com', /use an address like/],
    ['s3://files?endpoint=https://s3.example.com/path', /use an address like/],
    ['s3://files/a%20b?region=eu-west-1', /use letters, digits/],
  ] as const) {
    const { address, faults } = readMediaUrl(url, keys)
    t.equal(address, undefined, url)
    t.equal(faults.length, 1, url)
    t.match(faults[0], says)
    t.notMatch(faults[0], /very-secret/)
  }
  t.equal(readMediaUrl('s3://files?region=eu-west-1', { id: undefined, secret: undefined }).faults.length, 2)
})
