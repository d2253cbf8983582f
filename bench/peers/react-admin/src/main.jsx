// A minimal react-admin page, written as its own tutorial does: a list of offers and a second one to leave to.
import { Admin, Datagrid, List, NumberField, Resource, TextField } from 'react-admin'
import simpleRestProvider from 'ra-data-simple-rest'
import { createRoot } from 'react-dom/client'

const Offers = () => (
  <List perPage={Number(new URLSearchParams(window.location.search).get('rows') ?? 10)}>
    <Datagrid bulkActionButtons={false}>
      <TextField source="name" />
      <NumberField source="price" />
      <NumberField source="affiliate_fee" />
      <TextField source="store_name" />
      <TextField source="status.name" />
      <TextField source="source.name" />
    </Datagrid>
  </List>
)

const Streams = () => (
  <List>
    <Datagrid>
      <TextField source="name" />
    </Datagrid>
  </List>
)

createRoot(document.querySelector('#root')).render(
  <Admin dataProvider={simpleRestProvider('/api')}>
    <Resource name="offers" list={Offers} />
    <Resource name="streams" list={Streams} />
  </Admin>,
)
