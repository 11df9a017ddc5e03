import t from 'tap'
import { guessTargets } from '#server/messaging/contacts/importing/columns.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { findPhoneColumns, readPeopleFile } from '#server/platform/text/people-file.ts'
import { firstPhone } from '#server/platform/text/phone-lists.ts'

const [ana, beto, ceci] = ['5491155550101', '5491155550102', '5491155550103']

/** What is read from a file: columns with numbers, contents of the others, and each row's number. */
const read = (text: string) => {
  const file = readPeopleFile(text, { field: 'body.text' })
  const phoneColumns = findPhoneColumns(file, 'AR')
  const rows = [...file.entries()].flatMap(row => (row ? [row] : []))
  const phones = rows.map(
    ({ values }) =>
      firstPhone(
        phoneColumns.map(name => values[name] ?? ''),
        'AR',
      )?.phone ?? null,
  )
  const targets = guessTargets(file.columns, { fields: [], phoneColumns })
  return { phoneColumns, targets, phones, rows }
}

interface Shape {
  readonly lines: readonly string[]
  readonly columns: readonly string[]
  readonly phones: readonly (string | null)[]
  readonly targets?: string
}

const shapes: Readonly<Record<string, Shape>> = {
  'a shop: the number of an order is no telephone': {
    lines: ['Número de pedido;Celular del cliente', '43215678;11 5555-0101', '43215679;11 5555-0102'],
    columns: ['Celular del cliente'],
    phones: [ana, beto],
  },
  'a shop whose telephones are called otherwise': {
    lines: ['Nro. de factura;Datos de contacto', '43215678;+54 9 11 5555-0101', '43215679;11 5555-0102'],
    columns: ['Datos de contacto'],
    phones: [ana, beto],
  },
  'a column called number with numbers of something else': {
    lines: ['numero,nombre', '1001,Ana', '1002,Beto'],
    columns: [],
    phones: [null, null],
  },
  'documents beside numbers': {
    lines: ['nombre,dni,numero', 'Ana,30123456,1155550101', 'Beto,20301234563,1155550102'],
    columns: ['numero'],
    phones: [ana, beto],
    targets: 'name,ignore,phone',
  },
  'two columns that may be it': { lines: ['a,b', '1155550101,1155550102'], columns: [], phones: [null] },
  'WhatsApp before mobile before telephone before work': {
    lines: [
      'Tel. trabajo,Teléfono,Celular,WhatsApp',
      '1144440101,1144440102,1144440103,1155550101',
      '1144440101,,1155550102,',
      '1155550103,,,',
    ],
    columns: ['WhatsApp', 'Celular', 'Teléfono', 'Tel. trabajo'],
    phones: [ana, beto, ceci],
  },
  'names of columns written together': {
    lines: ['phoneNumber,phoneType,fullName', '1155550101,1155550999,Ana'],
    columns: ['phoneNumber'],
    phones: [ana],
  },
  "Google's contacts of today": {
    lines: [
      'First Name,Middle Name,Last Name,Labels,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value',
      'Ana,,Paz,* myContacts ::: * VIP,Mobile,+54 9 11 5555-0101 ::: 11 4444-0199,Work,1144440100',
      'Beto,,Sol,,Work,,Mobile,+54 9 11 5555-0102',
    ],
    columns: ['Phone 1 - Value', 'Phone 2 - Value'],
    phones: [ana, beto],
    targets: 'name,name,name,tags,ignore,phone,ignore,phone',
  },
  "Google's contacts of before": {
    lines: [
      'Name,Given Name,Family Name,Group Membership,Phone 1 - Type,Phone 1 - Value',
      'Ana Paz,Ana,Paz,* myContacts,Mobile,1155550101',
    ],
    columns: ['Phone 1 - Value'],
    phones: [ana],
    targets: 'name,ignore,ignore,tags,ignore,phone',
  },
  "Outlook's contacts": {
    lines: [
      'First Name,Last Name,Business Fax,Business Phone,Home Phone,Mobile Phone,Categories',
      'Ana,Paz,1144440000,1144440101,,+54 9 11 5555-0101,Amigos',
      'Beto,Sol,1144440000,+54 9 11 5555-0102,,,',
    ],
    columns: ['Mobile Phone', 'Business Phone', 'Home Phone'],
    phones: [ana, beto],
    targets: 'name,name,ignore,phone,phone,phone,tags',
  },
  "Outlook's contacts in Spanish": {
    lines: [
      'Nombre,Segundo nombre,Apellidos,Fax del trabajo,Teléfono del trabajo,Teléfono móvil',
      'Ana,,Paz,1144440000,1144440101,1155550101',
    ],
    columns: ['Teléfono móvil', 'Teléfono del trabajo'],
    phones: [ana],
    targets: 'name,name,name,ignore,phone,phone',
  },
  'a list in Portuguese': {
    lines: ['Nome;Sobrenome;Celular;CPF', 'Ana;Souza;+55 11 91234-5678;12345678901'],
    columns: ['Celular'],
    phones: ['5511912345678'],
    targets: 'name,name,phone,ignore',
  },
  'names with a comma between semicolons': {
    lines: ['Apellido, Nombre;Teléfono', 'Paz, Ana;1155550101', 'Sol, Beto;1155550102'],
    columns: ['Teléfono'],
    phones: [ana, beto],
    targets: 'name,phone',
  },
  'prices with a comma between semicolons': {
    lines: ['Nombre;Saldo;Celular', 'Ana;1.234,50;1155550101', 'Beto;0,00;1155550102'],
    columns: ['Celular'],
    phones: [ana, beto],
  },
  'a separator that Excel is told': {
    lines: ['sep=;', 'Nombre;Tel', 'Ana, la de al lado;1155550101'],
    columns: ['Tel'],
    phones: [ana],
  },
  'tabs, as they are copied from a sheet': {
    lines: ['Nombre\tCel', 'Ana, B\t1155550101'],
    columns: ['Cel'],
    phones: [ana],
  },
  pipes: { lines: ['Nombre|Cel', 'Ana, B|1155550101'], columns: ['Cel'], phones: [ana] },
  'no names of columns': { lines: ['1155550101;Ana', '1155550102;Beto'], columns: ['A'], phones: [ana, beto] },
  'nothing but numbers': { lines: ['1155550101', '+54 9 11 5555-0102'], columns: ['A'], phones: [ana, beto] },
  'numbers of abroad without a name': { lines: ['Ana;525512345678'], columns: ['B'], phones: ['525512345678'] },
  'names of columns alone': { lines: ['Nombre,Teléfono'], columns: ['Teléfono'], phones: [] },
  'decimals, exponents and rounded ones': {
    lines: ['Celular', '5491155550101.0', '5.491155550102E+12', '"5,49116E+12"'],
    columns: ['Celular'],
    phones: [ana, beto, null],
  },
  'addresses of WhatsApp': {
    lines: ['Link', 'https://wa.me/5491155550101', '5491155550102@c.us', '5491155550103@s.whatsapp.net'],
    columns: ['Link'],
    phones: [ana, beto, ceci],
  },
  'several numbers in a cell': {
    lines: [
      'Cliente;Teléfonos',
      'Ana;1155550101 / 1144440101',
      'Beto;1155550102 1144440102',
      'Ceci;cel 1155550103 (mañana)',
    ],
    columns: ['Teléfonos'],
    phones: [ana, beto, ceci],
  },
  'full-width and Arabic digits': {
    lines: ['Móvil', '１１５５５５０１０１', '٠١١٥٥٥٥٠١٠٢'],
    columns: ['Móvil'],
    phones: [ana, beto],
  },
  'a mobile that is seldom there': {
    lines: ['Nombre,Celular,Teléfono', ...Array.from({ length: 40 }, () => 'Ana,,1155550101'), 'Beto,1155550102,'],
    columns: ['Celular', 'Teléfono'],
    phones: [...Array.from({ length: 40 }, () => ana), beto],
  },
  'vCard 2.1 with quoted-printable, another charset and a photo': {
    lines: [
      ...[
        'BEGIN:VCARD',
        'VERSION:2.1',
        'N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Pe=F1a;Ana;;;',
        'TEL;WORK;FAX:1144440000',
      ],
      ...[
        'TEL;WORK:1144440101',
        'TEL;CELL:+54 9 11 5555-0101',
        'PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQ',
        ' 4AAQ',
        '',
        'END:VCARD',
      ],
    ],
    columns: ['TEL'],
    phones: [ana],
  },
  'vCard 3.0 with a folded line, a group and the id of WhatsApp': {
    lines: [
      ...[
        'BEGIN:VCARD',
        'VERSION:3.0',
        'FN:Ana',
        '  Paz',
        'item1.TEL;TYPE=WORK:1144440101',
        'item2.TEL;waid=5491155550101:+54 9 11',
        ' 5555-0101',
        'END:VCARD',
      ],
      ...['BEGIN:VCARD', 'VERSION:3.0', 'FN:Beto', 'TEL;TYPE=CELL:1155550102', 'END:VCARD'],
    ],
    columns: ['TEL'],
    phones: [ana, beto],
    targets: 'phone,name,ignore,ignore,note,tags,ignore',
  },
  'vCard 4.0 with addresses': {
    lines: [
      'BEGIN:VCARD',
      'VERSION:4.0',
      'FN:Ana',
      'TEL;VALUE=uri;TYPE="voice,cell":tel:+54-9-11-5555-0101',
      'END:VCARD',
    ],
    columns: ['TEL'],
    phones: [ana],
  },
  'a card within a card, and one without an end': {
    lines: [
      ...[
        'BEGIN:VCARD',
        'FN:Ana',
        'AGENT:',
        'BEGIN:VCARD',
        'FN:Otro',
        'TEL:1155559999',
        'END:VCARD',
        'TEL:1155550101',
        'END:VCARD',
      ],
      ...['BEGIN:VCARD', 'FN:Beto', 'TEL:1155550102'],
    ],
    columns: ['TEL'],
    phones: [ana, beto],
  },
  'lines of unequal length': {
    lines: ['tel,nombre', '1155550101', '1155550102,Beto,de más'],
    columns: ['tel'],
    phones: [ana, beto],
  },
}

for (const [name, { lines, columns, phones, targets }] of Object.entries(shapes))
  t.test(name, async t => {
    for (const end of ['\n', '\r\n']) {
      const found = read(lines.join(end))
      t.strictSame(found.phoneColumns, columns)
      t.strictSame(found.phones, phones)
      if (targets !== undefined) t.equal(found.targets.join(), targets)
    }
  })

t.test('vCards are read as each program writes them', async t => {
  const texts = (lines: readonly string[]) => read(['BEGIN:VCARD', ...lines, 'END:VCARD'].join('\r\n')).rows[0]?.values
  t.match(texts(['VERSION:2.1', 'N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Pe=F1a;Ana;;;']), { FN: 'Ana Peña' })
  t.match(texts(['FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jos=C3=A9 =', 'P=C3=A9rez']), { FN: 'José Pérez' })
  t.match(texts(['NOTE:una\\nlarga\\, y', '  sigue', 'FN:Ana']), { NOTE: 'una\nlarga, y sigue', FN: 'Ana' })
  t.match(texts(['ORG:Panadería;Caja', 'CATEGORIES:VIP,Feria', 'BDAY:19900203']), {
    FN: 'Panadería, Caja',
    CATEGORIES: 'VIP, Feria',
    BDAY: '1990-02-03',
  })
  t.match(texts(['TEL;TYPE=FAX:1144440000', 'TEL;TYPE=WORK:1', 'TEL;TYPE=HOME:2', 'TEL;TYPE=CELL:3']), {
    TEL: '3 ::: 2 ::: 1',
  })
})

t.test('workbooks and web pages are refused', async t => {
  for (const text of [
    'PK\u0003\u0004xl/workbook.xml',
    '<html><table><tr><td>1155550101',
    '\uFEFF<?xml version="1.0"?>',
    'tel\n\0',
  ])
    t.throws(
      () => readPeopleFile(text, { field: 'body.text' }),
      new InvalidInput([{ field: 'body.text', code: 'notCsv', params: {} }]),
    )
})
