// decided: the comparison with another node; null without one
.needs profile-product admin
>> {"jsonrpc":"2.0","id":1,"method":"admin_beside","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":null}
