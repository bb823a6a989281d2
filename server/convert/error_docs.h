// The table of error reasons as people read it. Pure function.
#ifndef MEANDER_SERVER_CONVERT_ERROR_DOCS_H_
#define MEANDER_SERVER_CONVERT_ERROR_DOCS_H_

#include <string>

namespace meander::convert {

// A whole document in Markdown, kept as proto/meander/v1/ERRORS.md.
std::string ErrorDocs();

}  // namespace meander::convert

#endif  // MEANDER_SERVER_CONVERT_ERROR_DOCS_H_
