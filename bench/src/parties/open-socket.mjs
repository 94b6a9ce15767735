// The minimum of any hand-off: Node with node:net, one failed connection, then the end.
import { connect } from 'node:net'

connect('/a/socket/that/is/not/there').on('error', () => process.exit(0))
