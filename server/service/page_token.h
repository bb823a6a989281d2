// Where the next page of a list begins. Opaque to clients, and anything may
// come back from them; and what a page takes. Pure functions.
#ifndef MEANDER_SERVER_SERVICE_PAGE_TOKEN_H_
#define MEANDER_SERVER_SERVICE_PAGE_TOKEN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/hosting/limits.h"

namespace meander::service {

// Bytes that a page may take beside its entries, and an entry that is a message
// beside itself: tags, lengths, and the page's token.
inline constexpr std::size_t kPageOverhead = 128;

// After an agent or an archetype, in one epoch of a world.
std::string IdPageToken(std::int64_t epoch, std::int64_t last_id);
// The id to begin after; 0 for an empty token. An error names "page_token".
core::Result<std::int64_t> ParseIdPageToken(std::string_view token,
                                            std::int64_t epoch);

// After a world. An id is a token as it is; "" comes before all.
core::Result<std::string> ParseWorldPageToken(std::string_view token);

// 0 means the default. An error names "page_size" and the limit.
core::Result<std::size_t> ParsePageSize(std::int32_t page_size,
                                        const hosting::Limits& limits);

}  // namespace meander::service

#endif  // MEANDER_SERVER_SERVICE_PAGE_TOKEN_H_
