// Brings the style and the texts of clashes, before anything on the map shows them.
import './clashes.css'
import './says.ts'
