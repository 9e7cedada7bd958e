"""Drives `goodput mcp` by the protocol's Python client, which checks every message: client.py GOODPUT FOLDER LISTING."""

import asyncio
import pathlib
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(goodput, folder, listing):
    server = StdioServerParameters(command=goodput, args=["mcp", folder])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = {tool.name for tool in (await session.list_tools()).tools}
        assert {"read", "diagnose", "calculate", "prove"} <= tools and "apply" not in tools, tools
        resources = (await session.list_resources()).resources
        assert resources and (await session.list_resource_templates()).resource_templates
        for resource in resources:
            assert (await session.read_resource(resource.uri)).contents[0].text, resource.uri
        text = pathlib.Path(listing).read_text()
        given = {"texts": [{"name": "listing.txt", "text": text}], "rate": "1 Gbit/s", "rtt": "210 ms"}
        answer = await session.call_tool("diagnose", given)
        print(answer.content[0].text)
        many = await asyncio.gather(*(session.call_tool("explain", {"rule": "receiver-window"}) for _ in range(5)))
        assert all("receiver-window" in one.content[0].text for one in many)
        await session.send_ping()


asyncio.run(main(*sys.argv[1:]))
